"""
What `npm start` does, in PyTorch with two processes of one thread each: both ideas and their baselines at the preset "seed", that is
three learning rates on eight paired seeds for either arm, test errors included; the cells of the best rate are the final runs. Then
the floors of each seed, and the mechanism of each idea on its final models (`torch_mechanisms.py`). As there, the last block of the
transformer computes the last position alone, where its attention allows. Data are of the tracks' shapes, but sums of sines. Left out
are the checks of the ideas' identities before the training, confidence intervals, verdicts and reports, which `npm start` has besides.
Prints the processor time of each part, and the seconds that passed for each track and for the whole, from the start of this script.

    OPENBLAS_CORETYPE=SkylakeX OPENBLAS_NUM_THREADS=1 python3 benchmarks/peers/torch_seed_runs.py
"""

import time

BEGIN = time.perf_counter()

import math
import multiprocessing

import torch
from torch import nn
from torch_mechanisms import floors, measure_moments, measure_pivots

SEEDS, BATCH, EVALUATION_BATCH, PROCESSES = range(8), 32, 100, 2
RATES = {"dynamics": (0.001, 0.003, 0.006), "sequence": (0.001, 0.003, 0.01)}
# Readings, features, targets, training series, test series, epochs.
TRACKS = {"dynamics": (32, 2, 2, 400, 400, 8), "sequence": (64, 1, 1, 200, 100, 3)}
ARMS = ("baseline", "idea")


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(2, 64, batch_first=True)
        self.head = nn.Linear(64, 2)

    def forward(self, x):
        return self.head(self.gru(x)[1][0])


def moment_basis():
    """Mass, two momenta and energy over an 8 by 8 velocity grid: four orthonormal rows of 64."""
    one = torch.ones(8, dtype=torch.float64)
    v = torch.arange(8, dtype=torch.float64) * 2 - 7
    p1, p2 = v / math.sqrt(168), (v * v - 21) / (v * v - 21).norm()
    rows = [
        torch.outer(one, one) / 8,
        torch.outer(p1, one) / math.sqrt(8),
        torch.outer(one, p1) / math.sqrt(8),
        (torch.outer(p2, one) + torch.outer(one, p2)) / 4,
    ]
    return torch.stack(rows).reshape(4, 64).float()


class MomentRecurrent(nn.Module):
    """A GRU cell over time whose state, read as 8 by 8, is after each step cut to rank 2 but for its moments, which stay."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(2, 64)
        self.head = nn.Linear(64, 2)
        self.register_buffer("basis", moment_basis())

    def project(self, h):
        return (h @ self.basis.T) @ self.basis

    def compress(self, h):
        moments = self.project(h)
        u, s, vh = torch.linalg.svd((h - moments).reshape(-1, 8, 8), full_matrices=False)
        cut = ((u[..., :2] * s[..., None, :2]) @ vh[..., :2, :]).reshape(-1, 64)
        return moments + cut - self.project(cut)

    def forward(self, x):
        h = torch.zeros(x.shape[0], 64)
        for reading in x.unbind(1):
            h = self.compress(self.cell(reading, h))
        return self.head(h)


def exact_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), -1) @ v


def draw_pivots(points, rank, law="exp"):
    """Rows drawn by Cholesky steps on the Gaussian part of exp(X Xᵀ), by default in proportion to its own diagonal's rest."""
    half = points.square().sum(-1) / 2
    # The law of the exponential kernel, whose diagonal is that of the Gaussian one times e^|x|², scaled to a largest of 1.
    weights = torch.exp(2 * (half - half.amax(-1, keepdim=True)))
    left = torch.ones_like(half)
    factor = points.new_zeros(*points.shape[:-1], rank)
    pivots = torch.empty(points.shape[0], rank, dtype=torch.long)
    problems = torch.arange(points.shape[0])
    for step in range(rank):
        mass = {"exp": left * weights, "gaussian": left, "uniform": left.gt(1e-6).float(), "greedy": left * weights}[law]
        chosen = mass.argmax(1) if law == "greedy" else torch.multinomial(mass + 1e-30, 1)[:, 0]
        pivots[:, step] = chosen
        scores = (points @ points[problems, chosen, :, None])[..., 0]
        column = torch.exp(scores - half - half[problems, chosen, None])
        column = column - (factor @ factor[problems, chosen, :, None])[..., 0]
        column = column / column[problems, chosen, None].clamp_min(1e-6).sqrt()
        factor[..., step] = column
        left = (left - column.square()).clamp_min(0)
        left[problems, chosen] = 0
    return pivots, factor


def approximate(q, k, values, rank, law="exp"):
    """Attention of problems `[problems, n, d]` through a factor of rank `rank`, and what was made of it on the way."""
    n, size = q.shape[1:]
    scale = size**-0.25
    x, y = q * scale, (k - k.mean(-2, keepdim=True)) * scale
    points = torch.cat([x, y], 1)
    with torch.no_grad():
        pivots, drawn = draw_pivots(points, rank, law)
    chosen = points.gather(1, pivots[..., None].expand(-1, -1, size))
    half, chosen_half = points.square().sum(-1, keepdim=True) / 2, chosen.square().sum(-1)[:, None] / 2
    columns = torch.exp(points @ chosen.transpose(1, 2) - half - chosen_half)
    block = columns.gather(1, pivots[..., None].expand(-1, -1, rank))
    lower = torch.linalg.cholesky(block + 1e-6 * torch.eye(rank))
    factor = torch.linalg.solve_triangular(lower, columns.transpose(1, 2), upper=False)
    shift = half[:, n:].detach().amax(1, keepdim=True)
    weighted = torch.exp(half[:, n:] - shift) * torch.cat([values, torch.ones_like(values[..., :1])], -1)
    mixed = factor[..., :n].transpose(1, 2) @ (factor[..., n:] @ weighted)
    with torch.no_grad():
        key_weights = torch.exp(half.gather(1, pivots[..., None]) - shift)[..., 0] * (pivots >= n)
        bound = torch.maximum(n * torch.exp(-half[:, :n] - shift), columns[:, :n] @ key_weights[..., None])
        low, high = values.amin(1, keepdim=True), values.amax(1, keepdim=True)
    normalised = mixed[..., :-1] / torch.maximum(mixed[..., -1:], bound)
    output = torch.minimum(torch.maximum(normalised, low), high)
    return output, (pivots, drawn, mixed[..., -1:] < bound, output != normalised)


def pivoted_attention(q, k, v, rank=4):
    """Attention through a rank-4 factor of its exponential kernel: no matrix of tokens by tokens; pivots constant in the gradient."""
    problems = [part.reshape(-1, *part.shape[2:]) for part in (q, k, v)]
    return approximate(*problems, rank)[0].reshape(q.shape)


def inspected(q, k, v, rank, law):
    """One run of the layer with what its quality is made of."""
    output, (pivots, factor, floored, clamped) = approximate(q, k, v, rank, law)
    shares = {"floored": floored.float().mean().item(), "clamped": clamped.float().mean().item()}
    return {"output": output, "pivots": pivots, "factor": factor, **shares}


class Block(nn.Module):
    def __init__(self, width, heads, feed_forward, attention):
        super().__init__()
        self.heads, self.attention = heads, attention
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.inward, self.outward = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, feed_forward), nn.Linear(feed_forward, width)

    def forward(self, x, last=False):
        """All positions, or the last one alone: exact attention then has one query, the pivots are those of all points."""
        batch, steps, width = x.shape
        projected = self.inward(self.norms[0](x)).reshape(batch, steps, 3, self.heads, -1)
        q, k, v = projected.permute(2, 0, 3, 1, 4)
        if last and self.attention is exact_attention:
            q = q[:, :, -1:]
        mixed = self.attention(q, k, v)
        if last:
            x, mixed = x[:, -1:], mixed[:, :, -1:]
        x = x + self.outward(mixed.transpose(1, 2).reshape(x.shape))
        return x + self.down(nn.functional.gelu(self.up(self.norms[1](x))))


class Transformer(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.embed = nn.Linear(1, 32)
        self.positions = nn.Parameter(0.02 * torch.randn(64, 32))
        self.blocks = nn.ModuleList([Block(32, 4, 64, attention) for _ in range(2)])
        self.norm = nn.LayerNorm(32)
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        states = self.blocks[0](self.embed(x) + self.positions)
        return self.head(self.norm(self.blocks[1](states, last=True)[:, -1]))


MODELS = {
    ("dynamics", "baseline"): Recurrent,
    ("dynamics", "idea"): MomentRecurrent,
    ("sequence", "baseline"): lambda: Transformer(exact_attention),
    ("sequence", "idea"): lambda: Transformer(pivoted_attention),
}


def series(count, steps, features, targets):
    """Sums of two sines with noise, and their clean values five readings after the last."""
    times = torch.arange(steps + 5)[:, None] * 0.15
    frequency, phase = 1 + 2 * torch.rand(2, count, 1, features), 6 * torch.rand(2, count, 1, features)
    clean = torch.sin(frequency * times + phase).sum(0)
    return clean[:, :steps] + 0.05 * torch.randn(count, steps, features), clean[:, -1, :targets]


def data_of(track):
    steps, features, targets, training, test, _ = TRACKS[track]
    return series(training, steps, features, targets), series(test, steps, features, targets)


def train(cell):
    """Trains and scores one cell; returns its mean squared test error and its parameters."""
    track, arm, rate, seed = cell
    torch.manual_seed(seed)
    (x, y), test = data_of(track)
    model = MODELS[track, arm]()
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(TRACKS[track][-1]):
        for indices in torch.randperm(len(x)).split(BATCH):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[indices]), y[indices])
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        outputs = torch.cat([model(part) for part in test[0].split(EVALUATION_BATCH)])
    error = nn.functional.mse_loss(outputs, test[1]).item()
    return error, {name: value.numpy() for name, value in model.state_dict().items()}


def measure(track, seed, parameters):
    """The mechanism of the idea on a trained model, over the whole test part of its seed."""
    torch.manual_seed(seed)
    _, (x, _) = data_of(track)
    model = MODELS[track, "idea"]()
    model.load_state_dict({name: torch.from_numpy(value) for name, value in parameters.items()})
    model.eval()
    return measure_moments(model, x) if track == "dynamics" else measure_pivots(model, x, inspected)


def floors_of(track, seed):
    torch.manual_seed(seed)
    return floors(*data_of(track))


def timed(task):
    """Does a task `(function, arguments)`; returns what it returns and its seconds of processor time."""
    function, arguments = task
    begin = time.process_time()
    return function(*arguments), time.process_time() - begin


def main():
    with multiprocessing.Pool(PROCESSES, torch.set_num_threads, (1,)) as pool:
        def work(function, calls):
            results = pool.map(timed, [(function, call) for call in calls], chunksize=1)
            return [result for result, _ in results], [seconds for _, seconds in results]

        for track in TRACKS:
            begin = time.perf_counter()
            cells = [(track, arm, rate, seed) for rate in RATES[track] for seed in SEEDS for arm in ARMS]
            trained, seconds = work(train, [(cell,) for cell in cells])
            for arm in ARMS:
                own = [at for at, cell in enumerate(cells) if cell[1] == arm]
                means = {rate: sum(trained[at][0] for at in own if cells[at][2] == rate) / len(SEEDS) for rate in RATES[track]}
                best = min(means, key=lambda rate: means[rate] if math.isfinite(means[rate]) else math.inf)
                broken = sum(not math.isfinite(trained[at][0]) for at in own)
                spent = sum(seconds[at] for at in own)
                print(
                    f"{track} {arm}: {len(own)} cells, {spent:.1f} s of processor time; best rate {best}, test error {means[best]:.4f}"
                    + (f", {broken} not finite" if broken else "")
                )
            beaten, spent = work(floors_of, [(track, seed) for seed in SEEDS])
            print(f"{track} floors: {sum(spent):.1f} s; mean, last value, ridge", [f"{sum(f) / len(f):.3f}" for f in zip(*beaten)])
            final = [at for at, cell in enumerate(cells) if cell[1:3] == ("idea", best)]
            figures, spent = work(measure, [(track, cells[at][3], trained[at][1]) for at in final])
            print(f"{track} mechanism: {sum(spent):.1f} s; seed 0: {figures[0]}")
            print(f"{track}: {time.perf_counter() - begin:.1f} s", flush=True)
    print(f"both: {time.perf_counter() - BEGIN:.1f} s")


if __name__ == "__main__":
    main()
