"""Writes formulas.json: what PyTorch's operations and its differentiation give, in float64, for layers that PyTorch has
not, written out from their formulas: the GRU of the paper (reset gate before the product), and attention in which a
query may look at nothing.

    apt-get install python3-torch        # made with Debian's PyTorch 1.13
    /usr/bin/python3 test/nn/oracle/generate-formulas.py && npx prettier --write test/nn/oracle/formulas.json
"""

import json
import math
import pathlib

import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(20261201)


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.detach().tolist()
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value


def leaf(*shape, std=1.0):
    return (std * torch.randn(*shape)).requires_grad_()


def gradients(outputs, cotangents, named):
    total = sum((output * cotangent).sum() for output, cotangent in zip(outputs, cotangents))
    return dict(zip(named, torch.autograd.grad(total, list(named.values()))))


def reset_before(x, h, weight_ih, weight_hh, bias_ih=0.0, bias_hh=0.0):
    """Cho et al., arXiv 1406.1078, gates in the order r, z, n, and both biases added as PyTorch does."""
    w_r, w_z, w_n = weight_ih.chunk(3)
    u_r, u_z, u_n = weight_hh.chunk(3)
    zero = torch.zeros(weight_ih.shape[0])
    b_r, b_z, b_n = (zero + bias_ih + bias_hh).chunk(3)
    r = torch.sigmoid(x @ w_r.T + h @ u_r.T + b_r)
    z = torch.sigmoid(x @ w_z.T + h @ u_z.T + b_z)
    n = torch.tanh(x @ w_n.T + (r * h) @ u_n.T + b_n)
    return (1 - z) * n + z * h


def weights(inputs, hidden, bias, suffix=""):
    """Each gate of another size, so that no two can be taken for each other."""
    sizes = torch.repeat_interleave(torch.tensor([0.3, 0.7, 1.1]), hidden)

    def gates(*shape):
        return (torch.randn(*shape) * sizes.reshape(-1, *[1] * (len(shape) - 1))).requires_grad_()

    found = {"weight_ih": gates(3 * hidden, inputs), "weight_hh": gates(3 * hidden, hidden)}
    if bias:
        found |= {"bias_ih": gates(3 * hidden), "bias_hh": gates(3 * hidden)}
    return {name + suffix: value for name, value in found.items()}


def gru_cell(bias):
    state, x, h = weights(3, 4, bias), leaf(2, 3), leaf(2, 4)
    output = reset_before(x, h, **state)
    cotangents = [torch.randn_like(output)]
    return {
        "bias": bias, "state": state, "x": x, "h": h, "output": output, "cotangent": cotangents[0],
        "gradients": gradients([output], cotangents, {"x": x, "h": h, **state}),
    }


def gru(layers, bias):
    x, h = leaf(2, 5, 3), leaf(layers, 2, 4)
    state, series, last = {}, x, []
    for layer in range(layers):
        own = weights(series.shape[2], 4, bias)
        state |= {f"{name}_l{layer}": value for name, value in own.items()}
        steps, now = [], h[layer]
        for time in range(5):
            now = reset_before(series[:, time], now, **own)
            steps.append(now)
        series = torch.stack(steps, 1)
        last.append(now)
    outputs = [series, torch.stack(last)]
    cotangents = [torch.randn_like(output) for output in outputs]
    return {
        "layers": layers, "bias": bias, "state": state, "x": x, "h": h, "output": outputs[0],
        "hidden": outputs[1], "cotangents": cotangents,
        "gradients": gradients(outputs, cotangents, {"x": x, "h": h, **state}),
    }


def attention(name, causal=False, attn_mask=None, key_padding_mask=None):
    q, k, v = leaf(2, 2, 4, 3), leaf(2, 2, 5, 3), leaf(2, 2, 5, 2)
    hidden = torch.zeros(2, 2, 4, 5, dtype=torch.bool)
    if causal:
        hidden = hidden | torch.triu(torch.ones(4, 5, dtype=torch.bool), 1)
    if attn_mask is not None:
        hidden = hidden | attn_mask
    if key_padding_mask is not None:
        hidden = hidden | key_padding_mask[:, None, None, :]
    scores = torch.where(hidden, torch.tensor(-math.inf), q @ k.transpose(-1, -2) / math.sqrt(3))
    sees = ~hidden.all(-1, keepdim=True)
    weights = torch.softmax(torch.where(sees, scores, torch.tensor(0.0)), -1) * sees
    output = weights @ v
    cotangents = [torch.randn_like(output)]
    return {
        "name": name, "causal": causal, "attnMask": attn_mask, "keyPaddingMask": key_padding_mask,
        "q": q, "k": k, "v": v, "output": output, "cotangent": cotangents[0],
        "gradients": gradients([output], cotangents, {"q": q, "k": k, "v": v}),
    }


def mask(rows):
    return torch.tensor(rows, dtype=torch.bool)


some = mask([[0, 1, 0, 0, 1], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 0, 1]])
blind = mask([[0, 1, 0, 0, 1], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [1, 1, 1, 0, 1]])
padding = mask([[0, 0, 0, 0, 0], [0, 1, 0, 0, 1]])
padded_out = mask([[1, 1, 1, 1, 1], [0, 1, 0, 0, 1]])

values = {
    "torch": torch.__version__,
    "gru": [gru(1, True), gru(2, True), gru(2, False)],
    "gruCell": [gru_cell(True), gru_cell(False)],
    "attention": [
        attention("no mask"),
        attention("causal", causal=True),
        attention("key padding", key_padding_mask=padding),
        attention("a mask of pairs", attn_mask=some),
        attention("a query that sees nothing", attn_mask=blind),
        attention("a batch entry whose keys are all padding", key_padding_mask=padded_out),
        attention("all three masks", causal=True, attn_mask=blind, key_padding_mask=padding),
    ],
}

path = pathlib.Path(__file__).with_name("formulas.json")
path.write_text(json.dumps(plain(values)) + "\n", encoding="utf-8")
