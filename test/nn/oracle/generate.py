"""Writes values.json: what PyTorch computes, in float64, for the layers, losses and optimizers of src/nn.

    apt-get install python3-torch        # made with Debian's PyTorch 1.13
    /usr/bin/python3 test/nn/oracle/generate.py && npx prettier --write test/nn/oracle/values.json
"""

import json
import pathlib

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(20261130)


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.detach().tolist()
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value


def scrambled(module):
    """Every parameter random and different, so that no wrong order of gates or heads can hide."""
    for parameter in module.parameters():
        nn.init.normal_(parameter, std=0.7)
    return module


def gradients(outputs, cotangents, named):
    """The gradient of the sum of outputs times cotangents, by name."""
    total = sum((output * cotangent).sum() for output, cotangent in zip(outputs, cotangents))
    named = {name: value for name, value in named.items() if value.requires_grad}
    return dict(zip(named, torch.autograd.grad(total, list(named.values()))))


def leaf(*shape):
    return torch.randn(*shape, requires_grad=True)


def gru(layers, bias):
    module = scrambled(nn.GRU(3, 4, num_layers=layers, bias=bias, batch_first=True))
    x, h = leaf(2, 5, 3), leaf(layers, 2, 4)
    outputs = module(x, h)
    cotangents = [torch.randn_like(output) for output in outputs]
    named = {"x": x, "h": h, **dict(module.named_parameters())}
    return {
        "layers": layers, "bias": bias, "state": dict(module.state_dict()), "x": x, "h": h,
        "output": outputs[0], "hidden": outputs[1], "cotangents": cotangents,
        "gradients": gradients(outputs, cotangents, named),
    }


def gru_cell(bias):
    module = scrambled(nn.GRUCell(3, 4, bias=bias))
    x, h = leaf(2, 3), leaf(2, 4)
    output = module(x, h)
    cotangent = torch.randn_like(output)
    named = {"x": x, "h": h, **dict(module.named_parameters())}
    return {
        "bias": bias, "state": dict(module.state_dict()), "x": x, "h": h, "output": output,
        "cotangent": cotangent, "gradients": gradients([output], [cotangent], named),
    }


def attention(bias, attn_mask, key_padding_mask, cross):
    module = scrambled(nn.MultiheadAttention(6, 2, bias=bias, batch_first=True))
    query = leaf(2, 4, 6)
    key = leaf(2, 5, 6) if cross else query
    value = leaf(2, 5, 6) if cross else query
    output, _ = module(query, key, value, attn_mask=attn_mask, key_padding_mask=key_padding_mask)
    cotangent = torch.randn_like(output)
    named = {"query": query, **dict(module.named_parameters())}
    if cross:
        named |= {"key": key, "value": value}
    return {
        "bias": bias, "state": dict(module.state_dict()), "query": query,
        "key": key if cross else None, "value": value if cross else None,
        "attnMask": attn_mask, "keyPaddingMask": key_padding_mask, "output": output,
        "cotangent": cotangent, "gradients": gradients([output], [cotangent], named),
    }


def layer_norm(eps):
    module = scrambled(nn.LayerNorm(7, eps=eps))
    x = leaf(2, 3, 7)
    output = module(x)
    cotangent = torch.randn_like(output)
    named = {"x": x, **dict(module.named_parameters())}
    return {
        "eps": eps, "state": dict(module.state_dict()), "x": x, "output": output,
        "cotangent": cotangent, "gradients": gradients([output], [cotangent], named),
    }


def block(mask, activation):
    module = scrambled(nn.TransformerEncoderLayer(
        6, 2, dim_feedforward=5, dropout=0.0, activation=activation, batch_first=True, norm_first=True))
    x = leaf(2, 4, 6)
    output = module(x, src_mask=mask)
    cotangent = torch.randn_like(output)
    named = {"x": x, **dict(module.named_parameters())}
    return {
        "activation": activation, "state": dict(module.state_dict()), "x": x, "mask": mask,
        "output": output, "cotangent": cotangent, "gradients": gradients([output], [cotangent], named),
    }


def embedding():
    module = scrambled(nn.Embedding(5, 3))
    indices = torch.tensor([[1, 4, 1], [0, 1, 2]])
    output = module(indices)
    cotangent = torch.randn_like(output)
    return {
        "state": dict(module.state_dict()), "indices": indices, "output": output, "cotangent": cotangent,
        "gradients": gradients([output], [cotangent], {"weight": module.weight}),
    }


def cross_entropy(reduction, ignore_index, smoothing):
    logits, targets = 3 * torch.randn(5, 4), torch.tensor([3, 0, 2, 0, 1])
    logits.requires_grad_()
    loss = F.cross_entropy(
        logits, targets, reduction=reduction, ignore_index=ignore_index, label_smoothing=smoothing)
    cotangent = torch.randn_like(loss)
    return {
        "reduction": reduction, "ignoreIndex": ignore_index, "labelSmoothing": smoothing,
        "logits": logits, "targets": targets, "loss": loss, "cotangent": cotangent,
        "gradients": gradients([loss], [cotangent], {"logits": logits}),
    }


def regression(name, function, reduction, **options):
    prediction, target = 2 * torch.randn(3, 4), torch.randn(3, 4)
    prediction.requires_grad_()
    target.requires_grad_()
    loss = function(prediction, target, reduction=reduction, **options)
    cotangent = torch.randn_like(loss)
    named = {"prediction": prediction, "target": target}
    return {
        "name": name, "reduction": reduction, "options": options, "prediction": prediction,
        "target": target, "loss": loss, "cotangent": cotangent,
        "gradients": gradients([loss], [cotangent], named),
    }


def optimizer(name, options, torch_options):
    start, steps = torch.randn(6), torch.randn(20, 6)
    parameter = nn.Parameter(start.clone())
    updater = getattr(torch.optim, name)([parameter], **torch_options)
    trace = []
    for gradient in steps:
        parameter.grad = gradient.clone()
        updater.step()
        trace.append(parameter.detach().clone())
    return {"name": name, "options": options, "start": start, "steps": steps, "trace": trace}


def clipping(limit):
    parameters = [nn.Parameter(torch.zeros(3)), nn.Parameter(torch.zeros(2, 2))]
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    before = [parameter.grad.clone() for parameter in parameters]
    norm = nn.utils.clip_grad_norm_(parameters, limit)
    return {"limit": limit, "before": before, "norm": norm, "after": [p.grad for p in parameters]}


def cosine(lr, steps, floor):
    updater = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=lr)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(updater, steps, eta_min=floor)
    rates = []
    for _ in range(steps + 1):
        rates.append(schedule.get_last_lr()[0])
        updater.step()
        schedule.step()
    return {"lr": lr, "steps": steps, "floor": floor, "rates": rates}


causal = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
some = torch.tensor([[0, 1, 0, 0, 1], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0], [1, 1, 1, 0, 1]], dtype=torch.bool)
padding = torch.tensor([[0, 0, 0, 0, 0], [0, 1, 0, 0, 1]], dtype=torch.bool)

values = {
    "torch": torch.__version__,
    "gru": [gru(1, True), gru(2, True), gru(2, False)],
    "gruCell": [gru_cell(True), gru_cell(False)],
    "attention": [
        attention(True, None, None, False),
        attention(True, causal, None, False),
        attention(True, some, None, True),
        attention(False, some, padding, True),
    ],
    "layerNorm": [layer_norm(1e-5), layer_norm(0.1)],
    "block": [block(None, "gelu"), block(causal, "gelu"), block(None, "relu")],
    "embedding": [embedding()],
    "crossEntropy": [
        cross_entropy(reduction, ignore_index, smoothing)
        for reduction in ("mean", "sum", "none")
        for ignore_index, smoothing in ((-100, 0.0), (0, 0.0), (0, 0.3))
    ],
    "regression": [
        regression(name, function, reduction, **options)
        for reduction in ("mean", "sum", "none")
        for name, function, options in (
            ("mseLoss", F.mse_loss, {}),
            ("l1Loss", F.l1_loss, {}),
            ("huberLoss", F.huber_loss, {}),
            ("huberLoss", F.huber_loss, {"delta": 0.4}),
        )
    ],
    "optimizers": [
        optimizer("SGD", {"lr": 0.1}, {"lr": 0.1}),
        optimizer("SGD", {"lr": 0.1, "momentum": 0.9}, {"lr": 0.1, "momentum": 0.9}),
        optimizer("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weightDecay": 0.05},
                  {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.05}),
        optimizer("SGD", {"lr": 0.1, "momentum": 0.8, "nesterov": True, "weightDecay": 0.05},
                  {"lr": 0.1, "momentum": 0.8, "nesterov": True, "weight_decay": 0.05}),
        optimizer("Adam", {}, {}),
        optimizer("Adam", {"lr": 0.1, "betas": [0.8, 0.95], "eps": 1e-3, "weightDecay": 0.1},
                  {"lr": 0.1, "betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.1}),
        optimizer("AdamW", {}, {}),
        optimizer("AdamW", {"lr": 0.1, "betas": [0.8, 0.95], "eps": 1e-3, "weightDecay": 0.1},
                  {"lr": 0.1, "betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.1}),
    ],
    "clipping": [clipping(0.5), clipping(100.0)],
    "cosine": [cosine(0.1, 10, 0.0), cosine(0.02, 7, 0.001)],
}

path = pathlib.Path(__file__).with_name("values.json")
path.write_text(json.dumps(plain(values)) + "\n", encoding="utf-8")
