"""Writes reset-before.json: what ONNX's reference evaluator computes, in float64, for its operator GRU with
linear_before_reset = 0, the form of the paper, which PyTorch does not have.

    pip install onnx                     # made with onnx 1.23.1
    python3 test/nn/oracle/generate-reset-before.py && npx prettier --write test/nn/oracle/reset-before.json
"""

import json
import pathlib

import numpy
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

inputs, hidden, batch, steps = 3, 4, 2, 5
rng = numpy.random.default_rng(20261130)


def onnx_order(value):
    """The blocks r, z, n of PyTorch as ONNX has them: z, r, h."""
    r, z, n = numpy.split(value, 3)
    return numpy.concatenate([z, r, n])


def case(bias):
    state = {
        "weight_ih_l0": rng.normal(0, 0.7, (3 * hidden, inputs)),
        "weight_hh_l0": rng.normal(0, 0.7, (3 * hidden, hidden)),
    }
    if bias:
        state |= {name: rng.normal(0, 0.7, 3 * hidden) for name in ("bias_ih_l0", "bias_hh_l0")}
    x, h = rng.normal(size=(batch, steps, inputs)), rng.normal(size=(1, batch, hidden))
    given = {"X": x.transpose(1, 0, 2), "W": onnx_order(state["weight_ih_l0"])[None]}
    given["R"] = onnx_order(state["weight_hh_l0"])[None]
    if bias:
        given["B"] = numpy.concatenate([onnx_order(state["bias_ih_l0"]), onnx_order(state["bias_hh_l0"])])[None]
    given["initial_h"] = h
    names = [name if name in given else "" for name in ("X", "W", "R", "B", "", "initial_h")]
    node = helper.make_node("GRU", names, ["Y", "Y_h"], hidden_size=hidden, linear_before_reset=0)
    kind = TensorProto.DOUBLE
    graph = helper.make_graph(
        [node],
        "gru",
        [helper.make_tensor_value_info(name, kind, value.shape) for name, value in given.items()],
        [helper.make_tensor_value_info(name, kind, None) for name in ("Y", "Y_h")],
    )
    every, last = ReferenceEvaluator(helper.make_model(graph)).run(None, given)
    assert every.dtype == numpy.float64
    found = {"state": state, "x": x, "h": h, "output": every[:, 0].transpose(1, 0, 2), "hidden": last}
    return {"bias": bias, **found}


def plain(value):
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return value.tolist() if isinstance(value, numpy.ndarray) else value


path = pathlib.Path(__file__).with_name("reset-before.json")
path.write_text(json.dumps([plain(case(bias)) for bias in (True, False)]) + "\n")
