"""Writes second-derivatives.json: Hessian-vector products that PyTorch computes in float64 by differentiating twice.

For each case a scalar loss of named tensors, one direction a tensor, the loss, its gradient, and the product of the
Hessian with the direction, by name.

    apt-get install python3-torch        # made with Debian's PyTorch 1.13
    /usr/bin/python3 test/nn/oracle/generate-second-derivatives.py
    npx prettier --write test/nn/oracle/second-derivatives.json
"""

import json
import math
import pathlib

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20261202)


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.detach().tolist()
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return value


def leaves(std=0.7, **shapes):
    return {name: (std * torch.randn(*shape)).requires_grad_() for name, shape in shapes.items()}


def case(loss, named):
    """`loss` of the tensors by name, differentiated twice along a random direction."""
    value = loss(**named)
    gradient = torch.autograd.grad(value, list(named.values()), create_graph=True)
    direction = [torch.randn_like(entry) for entry in named.values()]
    slope = sum((g * d).sum() for g, d in zip(gradient, direction))
    product = torch.autograd.grad(slope, list(named.values()))
    by_name = lambda entries: dict(zip(named, entries))
    return {
        "inputs": named, "direction": by_name(direction), "loss": value, "gradient": by_name(gradient),
        "product": by_name(product),
    }


def probed(function, **shapes):
    """Σ probe · f², whose Hessian holds both derivatives of f, with a probe that hides nothing."""
    named = leaves(**shapes)
    probe = torch.randn_like(function(**named))
    found = case(lambda **given: (probe * function(**given).square()).sum(), named)
    return {"probe": probe, **found}


def layer_norm(x, weight, bias):
    return F.layer_norm(x, (5,), weight, bias, 1e-5)


def gates(x, h, weight_ih, weight_hh, bias_ih, bias_hh, reset):
    w, u = weight_ih.chunk(3), weight_hh.chunk(3)
    b, c = bias_ih.chunk(3), bias_hh.chunk(3)
    r = torch.sigmoid(x @ w[0].T + b[0] + h @ u[0].T + c[0])
    z = torch.sigmoid(x @ w[1].T + b[1] + h @ u[1].T + c[1])
    inner = r * (h @ u[2].T + c[2]) if reset == "after" else (r * h) @ u[2].T + c[2]
    n = torch.tanh(x @ w[2].T + b[2] + inner)
    return (1 - z) * n + z * h


def gru(reset):
    def run(x, h, **weights):
        states = []
        for time in range(x.shape[1]):
            h = gates(x[:, time], h, **weights, reset=reset)
            states.append(h)
        return torch.stack(states, 1)

    shapes = {"x": (2, 3, 2), "h": (2, 3), "weight_ih": (9, 2), "weight_hh": (9, 3), "bias_ih": (9,), "bias_hh": (9,)}
    return probed(run, **shapes)


def attention(q, k, v):
    later = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
    scores = (q @ k.transpose(-1, -2) / math.sqrt(3)).masked_fill(later, -math.inf)
    return torch.softmax(scores, -1) @ v


def cross_entropy():
    targets = torch.tensor([2, 0, 1, 0])
    named = leaves(logits=(4, 3))
    run = lambda logits: F.cross_entropy(logits, targets, label_smoothing=0.2)
    return {"targets": targets, **case(run, named)}


def net():
    x, y = torch.randn(5, 3), torch.randn(5, 2)
    named = leaves(w1=(4, 3), b1=(4,), w2=(2, 4), b2=(2,))
    run = lambda w1, b1, w2, b2: F.mse_loss(F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2), y)
    return {"x": x, "y": y, **case(run, named)}


def embedding():
    indices = torch.tensor([[1, 4, 1], [0, 1, 2]])
    named = leaves(weight=(5, 3))
    probe = torch.randn(2, 3, 3)
    run = lambda weight: (probe * torch.tanh(F.embedding(indices, weight)).square()).sum()
    return {"indices": indices, "probe": probe, **case(run, named)}


values = {
    "torch": torch.__version__,
    "layerNorm": probed(layer_norm, x=(3, 5), weight=(5,), bias=(5,)),
    "gruAfter": gru("after"),
    "gruBefore": gru("before"),
    "attention": probed(attention, q=(2, 1, 4, 3), k=(2, 1, 4, 3), v=(2, 1, 4, 2)),
    "crossEntropy": cross_entropy(),
    "net": net(),
    "embedding": embedding(),
}

path = pathlib.Path(__file__).with_name("second-derivatives.json")
path.write_text(json.dumps(plain(values)) + "\n", encoding="utf-8")
