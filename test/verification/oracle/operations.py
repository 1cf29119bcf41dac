"""Writes operations.json: what PyTorch gives for the operations of the verification matrix, in float64.

Run: OPENBLAS_CORETYPE=SkylakeX /usr/bin/python3 operations.py    (made with PyTorch 1.13.1)

For each use of an operation y = f(inputs): the value y; the gradients of the sum of c*y; and the product of the Hessian of
the sum of c*y + d*y*y/2 with directions v. c, d and v are drawn; every number that goes in has four decimals, so that it
is the same when it is read again.
"""

import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)
draws = torch.Generator().manual_seed(20261130)


def four(x):
    return torch.round(x * 10000) / 10000


def real(*shape):
    return four(torch.randn(shape, generator=draws))


def positive(*shape):
    return four(real(*shape).abs() + 0.4)


def away(*shape):
    x = real(*shape)
    return four(x + 0.4 * torch.where(x < 0, -1.0, 1.0))


def with_zeros(*shape):
    x = real(*shape).flatten()
    x[::4] = 0
    return x.reshape(shape)


def definite(x):
    return x @ x.transpose(-1, -2) * 0.3 + 2 * torch.eye(x.shape[-1])


def triangular(x):
    return torch.tanh(x) * 0.5 + 2 * torch.eye(x.shape[-1])


def einsum(text):
    return lambda *xs: torch.einsum(text, *xs)


def solve(upper, transpose):
    def f(a, b):
        t = triangular(a)
        t = torch.triu(t) if upper else torch.tril(t)
        if transpose:
            return torch.linalg.solve_triangular(t.transpose(-1, -2), b, upper=not upper)
        return torch.linalg.solve_triangular(t, b, upper=upper)

    return f


F = torch.nn.functional
LIST = torch.tensor([2, 0, 2, 1])
ALONG = torch.tensor([[0, 2, 2], [1, 1, 0]])
MASK = torch.tensor([[True], [False], [True]])

USES = {
    "add": [(torch.add, real(2, 3), real(3)), (torch.add, real(2, 1), real(1, 3))],
    "sub": [(torch.sub, real(2, 1), real(3))],
    "mul": [(torch.mul, real(2, 1), real(3)), (torch.mul, real(), real(2, 2))],
    "div": [(torch.div, real(2, 1), away(3))],
    "scale": [(torch.mul, away(2, 1), real(3))],
    "pow": [(torch.pow, positive(2, 1), real(3))],
    "maximum": [(torch.maximum, real(2, 1), real(3))],
    "minimum": [(torch.minimum, real(2, 1), real(3))],
    "neg": [(torch.neg, real(5))],
    "abs": [(torch.abs, away(5))],
    "sign": [(torch.sign, away(5))],
    "square": [(torch.square, real(5))],
    "sqrt": [(torch.sqrt, positive(5))],
    "reciprocal": [(torch.reciprocal, away(5))],
    "exp": [(torch.exp, real(5) * 3)],
    "log": [(torch.log, positive(5))],
    "log1p": [(torch.log1p, positive(5))],
    "expm1": [(torch.expm1, real(5))],
    "sin": [(torch.sin, real(5) * 5)],
    "cos": [(torch.cos, real(5) * 5)],
    "tanh": [(torch.tanh, real(7) * 2)],
    "sigmoid": [(torch.sigmoid, real(7) * 4)],
    "relu": [(torch.relu, away(5))],
    "softplus": [(F.softplus, real(7) * 4)],
    "erf": [(torch.erf, real(7))],
    "gelu": [(F.gelu, real(9) * 2)],
    "geluTanh": [(lambda x: F.gelu(x, approximate="tanh"), real(9) * 2)],
    "clip": [(lambda x: torch.clamp(x, -1.125, 0.875), real(7))],
    "where": [(lambda a, b: torch.where(MASK, a, b), real(3, 2), real(2))],
    "sum": [(lambda x: x.sum((0, 2)), real(2, 3, 2)), (lambda x: x.sum(1, keepdim=True), real(2, 3))],
    "max": [(lambda x: x.amax(1), real(3, 4)), (lambda x: x.amax(0), torch.tensor([[1.0, 2], [1, 0], [1, 2]]))],
    "min": [(lambda x: x.amin(1), real(3, 4)), (lambda x: x.amin(0), torch.tensor([[1.0, 0], [1, 0], [1, 2]]))],
    "prod": [(lambda x: x.prod(1), away(3, 4)), (lambda x: x.prod(1), with_zeros(3, 5))],
    "logsumexp": [(lambda x: x.logsumexp((0, 2)), real(2, 3, 2) * 3)],
    "norm": [(lambda x: x.norm(dim=1), real(3, 4))],
    "cumsum": [(lambda x: x.cumsum(0), real(3, 2)), (lambda x: x.cumsum(1), real(2, 4))],
    "cumprod": [(lambda x: x.cumprod(1), away(2, 4)), (lambda x: x.cumprod(0), with_zeros(5, 2))],
    "matmul": [
        (torch.matmul, real(2, 3, 4), real(4, 2)),
        (lambda a, b: a.transpose(-1, -2) @ b.transpose(-1, -2), real(3, 2), real(2, 4, 3)),
        (torch.matmul, real(3), real(3, 2)),
    ],
    "softmax": [(lambda x: x.softmax(-1), real(2, 4) * 2), (lambda x: x.softmax(0), real(3, 2))],
    "logSoftmax": [(lambda x: x.log_softmax(-1), real(2, 4) * 2)],
    "normalize": [(lambda x: F.layer_norm(x, x.shape[-1:]), real(2, 5))],
    "cholesky": [(lambda x: torch.linalg.cholesky(definite(x)), real(2, 3, 3))],
    "solveTriangular": [
        (solve(False, False), real(3, 3), real(3, 2)),
        (solve(True, True), real(2, 3, 3), real(2, 3, 1)),
    ],
    "reshape": [(lambda x: x.reshape(3, 4), real(2, 6))],
    "permute": [(lambda x: x.permute(2, 0, 1), real(2, 3, 2))],
    "expand": [(lambda x: x.expand(2, 3, 2), real(3, 1))],
    "flip": [(lambda x: x.flip((0, 2)), real(2, 2, 3))],
    "triangle": [(lambda x: x.tril(-1) + x.triu(1), real(3, 4))],
    "slice": [(lambda x: x[1:, ::2], real(3, 5))],
    "concat": [(lambda a, b: torch.cat((a, b), 1), real(2, 2), real(2, 1))],
    "pad": [(lambda x: F.pad(x, (2, 1, 0, 1), value=-1.5), real(2, 2))],
    "gather": [(lambda x: x.index_select(0, LIST), real(3, 2))],
    "addAt": [(lambda a, b: a.index_add(0, LIST, b), real(3, 2), real(4, 2))],
    "takeAlongAxis": [(lambda x: x.gather(1, ALONG), real(2, 3))],
    "addAlongAxis": [(lambda x: torch.zeros(2, 3).scatter_add(1, ALONG, x), real(2, 3))],
    "mean": [(lambda x: x.mean((0, 2)), real(2, 3, 2))],
    "variance": [(lambda x: x.var(1), real(2, 4)), (lambda x: x.var(0, unbiased=False), real(4, 2))],
    "std": [(lambda x: x.std(1), real(2, 4))],
    "einsum": [
        (einsum("ij,jk->ik"), real(2, 3), real(3, 2)),
        (einsum("bqhd,bkhd->bhqk"), real(1, 2, 2, 3), real(1, 3, 2, 3)),
        (einsum("ii,i->i"), real(3, 3), real(3)),
        (einsum("ij,jk,kl->il"), real(2, 2), real(2, 3), real(3, 2)),
        (einsum("i,j,k->kij"), real(2), real(2), real(2)),
        (einsum("bij->bj"), real(2, 2, 3)),
    ],
    "stack": [(lambda a, b: torch.stack((a, b), 1), real(2, 2), real(2, 2))],
    "split": [(lambda x: torch.cat(x.split((1, 3), 1)[::-1], 1) * x.split((1, 3), 1)[0], real(2, 4))],
    "transpose": [(lambda x: x.transpose(0, 2), real(2, 1, 3))],
    "squeeze": [(lambda x: x.squeeze(1), real(2, 1, 3))],
    "unsqueeze": [(lambda x: x.unsqueeze(-1), real(2, 3))],
}


def array(x):
    return {"shape": list(x.shape), "values": x.detach().flatten().tolist()}


def record(f, *inputs):
    xs = [four(x).clone().requires_grad_() for x in inputs]
    y = f(*xs)
    c, d = real(*y.shape), real(*y.shape)
    vs = [real(*x.shape) for x in xs]
    gradients = torch.autograd.grad((c * y).sum(), xs, retain_graph=True)
    slopes = torch.autograd.grad((c * y + d * y * y / 2).sum(), xs, create_graph=True)
    along = sum((slope * v).sum() for slope, v in zip(slopes, vs))
    products = torch.autograd.grad(along, xs, allow_unused=True) if along.requires_grad else [None] * len(xs)
    products = [torch.zeros_like(x) if p is None else p for x, p in zip(xs, products)]
    return {
        "inputs": [array(x) for x in xs],
        "c": array(c),
        "d": array(d),
        "v": [array(v) for v in vs],
        "value": array(y),
        "gradients": [array(g) for g in gradients],
        "products": [array(p) for p in products],
    }


def main():
    out = {name: [record(*use) for use in uses] for name, uses in USES.items()}
    lines = [f"{json.dumps(name)}: {json.dumps(uses)}" for name, uses in out.items()]
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
