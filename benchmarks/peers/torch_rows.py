"""The rows of the benchmark in PyTorch, one thread: the other side of benchmarks/rows/serve.mjs. What each row is, see benchmarks/table.mjs."""

import json
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)


def square(n):
    a, b = torch.randn(n, n), torch.randn(n, n)
    return lambda: a @ b


def elementwise(f):
    x = torch.randn(1000, 1000)
    return lambda: f(x)


def training(model, x, y):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()

    return step


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(3, 64, batch_first=True)
        self.head = nn.Linear(64, 2)

    def forward(self, x):
        return self.head(self.gru(x)[1][0])


def rank2(matrix):
    u, s, vh = torch.linalg.svd(matrix, full_matrices=False)
    return (u[..., :2] * s[..., None, :2]) @ vh[..., :2, :]


class RankTwoRecurrent(nn.Module):
    """A GRU cell over time whose 8 by 8 state is cut to rank 2 after each step."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 64)
        self.head = nn.Linear(64, 2)

    def forward(self, x):
        h = torch.zeros(x.shape[0], 64)
        for t in range(x.shape[1]):
            h = rank2(self.cell(x[:, t], h).reshape(-1, 8, 8)).reshape(-1, 64)
        return self.head(h)


class Transformer(nn.Module):
    def __init__(self, steps, width, feed_forward):
        super().__init__()
        self.embed = nn.Linear(4, width)
        self.positions = nn.Parameter(0.02 * torch.randn(steps, width))
        layer = nn.TransformerEncoderLayer(
            width, 4, feed_forward, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, 2)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        states = self.layers(self.embed(x) + self.positions)
        return self.head(self.norm(states[:, -1]))


def recorded_add():
    a, b = torch.ones(4, requires_grad=True), torch.ones(4)
    return lambda: a + b


def backward_adds():
    a, b = torch.ones(4, requires_grad=True), torch.ones(4)

    def step():
        y = a
        for _ in range(1000):
            y = y + b
        y.sum().backward()
        a.grad = None

    return step


def rows():
    return {
        "matmul-64": lambda: square(64),
        "matmul-256": lambda: square(256),
        "matmul-512": lambda: square(512),
        "gru-train": lambda: training(Recurrent(), torch.randn(32, 32, 3), torch.randn(32, 2)),
        "gru-rank2-train": lambda: training(RankTwoRecurrent(), torch.randn(32, 32, 3), torch.randn(32, 2)),
        "transformer-train": lambda: training(Transformer(64, 32, 64), torch.randn(32, 64, 4), torch.randn(32, 1)),
        "transformer-wide-train": lambda: training(
            Transformer(128, 64, 128), torch.randn(32, 128, 4), torch.randn(32, 1)
        ),
        "exp": lambda: elementwise(torch.exp),
        "tanh": lambda: elementwise(torch.tanh),
        "gelu": lambda: elementwise(nn.functional.gelu),
        "softmax": lambda: elementwise(lambda x: torch.softmax(x, -1)),
        "recorded-add": recorded_add,
        "backward-adds": backward_adds,
    }


def measure(step, budget):
    steps, batch = 0, 1
    begin = now = time.perf_counter()
    while (now - begin) * 1000 < budget:
        for _ in range(batch):
            step()
        steps += batch
        batch *= 2
        now = time.perf_counter()
    return (now - begin) * 1000 / steps


def main():
    known, ready = rows(), {}
    for line in sys.stdin:
        request = json.loads(line)
        name, budget = request["row"], request["budget"]
        if name not in known:
            answer = {"missing": "not written for this framework"}
        else:
            if name not in ready:
                step = ready[name] = known[name]()
                end = time.perf_counter() + 20 * budget / 1000
                while time.perf_counter() < end:
                    step()
            answer = {"milliseconds": measure(ready[name], budget)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
