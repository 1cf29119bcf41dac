"""
What `npm start` measures beside the training, in PyTorch: the floors of a track, and the mechanism of each idea on trained
models over a whole test part, batched over all states or problems. Imported by `torch_seed_runs.py`.
"""

import math

import torch

RANK, BOUND, DRAWS, REPEATS, PENALTIES = 2, 10, 20_000, 8, (0.01, 0.1, 1, 10, 100)
PIVOTS = 4
LAWS = ("exp", "gaussian", "uniform", "greedy")


def floors(train, test):
    """Mean squared test errors of the mean target, the last value and ridge regression, its penalty chosen on a fifth."""
    (x, y), (test_x, test_y) = train, test
    flat, test_flat = x.flatten(1).double(), test_x.flatten(1).double()
    y, test_y = y.double(), test_y.double()

    def ridge(a, b, penalty, at):
        centre, offset = a.mean(0), b.mean(0)
        a = a - centre
        system = a.T @ a + penalty * torch.eye(a.shape[1], dtype=a.dtype)
        return (at - centre) @ torch.cholesky_solve(a.T @ (b - offset), torch.linalg.cholesky(system)) + offset

    cut = len(flat) - len(flat) // 5
    held = [(ridge(flat[:cut], y[:cut], penalty, flat[cut:]) - y[cut:]).square().mean() for penalty in PENALTIES]
    penalty = PENALTIES[int(torch.stack(held).argmin())]
    predictions = (y.mean(0), test_x[:, -1, : y.shape[1]], ridge(flat, y, penalty, test_flat))
    return [(prediction - test_y).square().mean().item() for prediction in predictions]


@torch.no_grad()
def measure_moments(model, x):
    """Moments, error identity, rank and clipping of every state of the test part, with plain truncation as the control."""
    states, h = [], torch.zeros(x.shape[0], 64)
    for reading in x.unbind(1):
        states.append(model.cell(reading, h))
        h = model.compress(states[-1])
    h = torch.cat(states)
    basis = model.basis.double()

    def truncate(matrices):
        u, s, vh = torch.linalg.svd(matrices.reshape(-1, 8, 8), full_matrices=False)
        return ((u[..., :RANK] * s[..., None, :RANK]) @ vh[..., :RANK, :]).reshape(-1, 64), s

    # The layer's own decomposition serves its output and what the truncation cut off.
    moments = model.project(h)
    rest = h - moments
    cut, s = truncate(rest)
    c = moments + cut - model.project(cut)
    plain, _ = truncate(h)
    wide, lost = h.double(), rest.double() - cut.double()
    raw = wide.square().sum(1)
    predicted = lost.square().sum(1) - (lost @ basis.T).square().sum(1)
    figures = {"states": len(h), "moment_share": (wide @ basis.T).square().sum().item() / raw.sum().item()}
    for name, value in (("compressed", c), ("plain", plain)):
        error = wide - value.double()
        errors = error.square().sum(1)
        figures[f"{name}_error"] = math.sqrt(errors.sum().item() / raw.sum().item())
        figures[f"{name}_drift"] = (error @ basis.T).abs().max().item()
        figures[f"{name}_gap"] = ((errors - predicted).abs() / raw)[raw > 0].max().item()
    for name, value in (("compressed", c[-x.shape[0] :]), ("raw", h[-x.shape[0] :])):
        spectrum = torch.linalg.svdvals(value.double().reshape(-1, 8, 8))
        figures[f"{name}_rank"] = int((spectrum > 1e-5 * spectrum[:, :1]).sum(1).max())
    kept, discarded = s[:, :RANK, None], s[:, None, RANK:]
    figures["clip_rate"] = (kept >= BOUND * (kept - discarded)).flatten(1).any(1).float().mean().item()
    return figures


def heads_of(model, x):
    """Queries, keys and values of two test inputs in every layer and head: `[problems, n, d]` each."""
    found = []
    own = [block.attention for block in model.blocks]

    def shown(attention):
        def attend(q, k, v):
            found.append([part[[len(part) // 4, 3 * len(part) // 4]].flatten(0, 1) for part in (q, k, v)])
            return attention(q, k, v)

        return attend

    for block, attention in zip(model.blocks, own):
        block.attention = shown(attention)
    model(x)
    for block, attention in zip(model.blocks, own):
        block.attention = attention
    return [torch.cat(parts) for parts in zip(*found)]


@torch.no_grad()
def measure_pivots(model, x, approximate):
    """
    The trace identity of randomly pivoted Cholesky at each rank, exact over all pivots and in the mean of drawn ones, beside
    uniform pivots; and what each law of pivots is worth: the trace left and the error of the output, beside the optimum.
    """
    q, k, v = heads_of(model, x)
    n, scale = q.shape[1], q.shape[2] ** -0.25
    points = torch.cat([q, k - k.mean(1, keepdim=True)], 1) * scale
    squares = points.square().sum(-1)
    gaussian = torch.exp(points @ points.mT - (squares[:, :, None] + squares[:, None]) / 2)
    wide = points.double()
    scores = wide @ wide.mT
    kernel = torch.exp(scores - scores.diagonal(dim1=1, dim2=2).amax(1)[:, None, None])
    whole = kernel.diagonal(dim1=1, dim2=2).sum(1)
    share = kernel.diagonal(dim1=1, dim2=2) / whole[:, None]
    exact, left, residual = kernel / whole[:, None, None], torch.ones_like(squares), gaussian
    problems = torch.arange(len(points))
    cells = []
    for _ in range(PIVOTS):
        mass = left.double() * share
        law = mass / mass.sum(1, keepdim=True)
        uniform = (left > 1e-6).double()
        uniform = uniform / uniform.sum(1, keepdim=True)
        # Row s: what eliminating s takes of each diagonal entry, in the float32 of the layer.
        taken = torch.minimum(residual.square() / left[:, :, None].clamp_min(1e-12), left[:, None])
        decreases = (taken.double() @ share[:, :, None])[..., 0] * (left > 1e-6)
        predicted = exact.square().sum((1, 2)) / exact.diagonal(dim1=1, dim2=2).sum(1)
        drawn = [decreases.gather(1, torch.multinomial(p, DRAWS, replacement=True)).mean(1) for p in (law, uniform)]
        expected = [(p * decreases).sum(1) for p in (law, uniform)]
        cells.append([found - predicted for found in expected + drawn])
        pivot = torch.multinomial(law, 1)[:, 0]
        column, wide_column = residual[problems, pivot], exact[problems, pivot]
        residual = residual - column[:, :, None] * column[:, None] / left[problems, pivot][:, None, None]
        left = residual.diagonal(dim1=1, dim2=2).clamp_min(0).index_put((problems, pivot), torch.tensor(0.0))
        at = exact[problems, pivot, pivot]
        exact = exact - wide_column[:, :, None] * wide_column[:, None] / at[:, None, None]
    errors = [max(cell[which].abs().max().item() for cell in cells) for which in range(4)]
    figures = dict(zip(("expected_gap", "uniform_gap", "sampled_gap", "sampled_uniform_gap"), errors))
    values = torch.linalg.eigvalsh(kernel)
    figures["optimal_trace"] = (values[:, :-PIVOTS].sum(1) / values.sum(1)).mean().item()
    attended = torch.softmax(scores[:, :n, n:], -1) @ v.double()

    def relative(output):
        return ((output.double() - attended).norm(dim=(1, 2)) / attended.norm(dim=(1, 2))).mean().item()

    figures["mean_of_values"] = relative(v.mean(1, keepdim=True).expand_as(v))
    for law in LAWS:
        runs = [approximate(q, k, v, PIVOTS, law) for _ in range(1 if law == "greedy" else REPEATS)]
        average = lambda of: sum(of(run) for run in runs) / len(runs)
        rest = lambda run: (1 - run["factor"].double().square().sum(-1)).clamp_min(0).scatter(1, run["pivots"], 0)
        figures[law] = {
            "trace_left": average(lambda run: (share * rest(run)).sum(1).mean().item()),
            "output_error": average(lambda run: relative(run["output"])),
            "floored": average(lambda run: run["floored"]),
            "clamped": average(lambda run: run["clamped"]),
        }
    return figures
