"""What package compare measures itself against: NumPy and SciPy's HiGHS, written as their users would write it.

A line of standard input is a request, {"call": name, "arguments": {...}}; a line of standard output is the answer,
{"seconds": time of the work alone, "result": ...} or {"error": text}. Arrays are read from .npy files once (load) and
stay in memory between requests.
"""

import ctypes
import json
import platform
import resource
import sys
import time
import traceback

import numpy as np
import scipy
from scipy import optimize

BLOCK = 256  # rows of scores that numpy works on at a time: one megabyte, which stays in the second level of cache

arrays = {}


def openblas():
    """The OpenBLAS that numpy has loaded, or None where it uses another BLAS."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split()[-1] for line in maps if "openblas" in line}
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        if hasattr(library, "openblas_get_corename"):
            library.openblas_get_corename.restype = ctypes.c_char_p
            library.openblas_get_config.restype = ctypes.c_char_p
            return library
    return None


def describe():
    library = openblas()
    config = library.openblas_get_config().decode().split() if library else []
    return 0.0, {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "blas": " ".join(config[:2]) if config else "another BLAS than OpenBLAS",
        "core": library.openblas_get_corename().decode() if library else "",
    }


def load(name, path):
    arrays[name] = np.load(path)
    return 0.0, list(arrays[name].shape)


def timed(work):
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


# Scores and greedy.


def multiply(atoms, directions, scores):
    """The matrix of scores, N x M, in the type of the data."""
    left, right = arrays[atoms], arrays[directions].T
    seconds, arrays[scores] = timed(lambda: left @ right)
    return seconds, list(arrays[scores].shape)


def trial(array):
    """Processor time of a product, which says more than elapsed time where others work too."""
    factor = arrays[array]
    begin = time.process_time()
    factor @ factor.T  # pylint: disable=expression-not-assigned
    return time.process_time() - begin, None


def widen(scores, wide):
    """A copy of the scores of float64 factors."""
    atoms, directions = (arrays[name].astype(np.float64) for name in scores)
    arrays[wide] = atoms @ directions.T
    return 0.0, None


def gains_of_all(a):
    """The gain of every atom at the empty set, times M."""
    gains = np.empty(len(a), a.dtype)
    buffer = np.empty((BLOCK, a.shape[1]), a.dtype)
    for start in range(0, len(a), BLOCK):
        rows = a[start : start + BLOCK]
        np.maximum(rows, 0, out=buffer[: len(rows)]).sum(axis=1, out=gains[start : start + len(rows)])
    return gains


def batches(a, first, budget):
    """Lazy greedy with gains computed in growing batches, in falling order of their bounds."""
    current = np.zeros(a.shape[1], a.dtype)
    bounds = first.copy()
    buffer = np.empty((BLOCK, a.shape[1]), a.dtype)
    picks = []
    for _ in range(budget):
        order = np.argsort(-bounds, kind="stable")
        best, gain, start, size = -1, -np.inf, 0, 16
        while start < len(order) and (bounds[order[start]] > gain or bounds[order[start]] == gain and order[start] < best):
            some = order[start : start + size]
            part = buffer[: len(some)]
            np.take(a, some, axis=0, out=part)
            np.subtract(part, current, out=part)
            gains = np.maximum(part, 0, out=part).sum(axis=1)
            bounds[some] = gains
            top = int(some[gains == gains.max()].min())
            if bounds[top] > gain or bounds[top] == gain and top < best:
                best, gain = top, bounds[top]
            start += len(some)
            size = min(2 * size, BLOCK)
        picks.append(best)
        np.maximum(current, a[best], out=current)
        bounds[best] = -np.inf
    return picks, current


def greedy(scores, budget):
    """Greedy on given scores; the first gains are given too, as they are to the other side."""
    a = arrays[scores]
    first = gains_of_all(a)
    seconds, (picks, current) = timed(lambda: batches(a, first, budget))
    return seconds, {"picks": picks, "value": float(current.mean(dtype=np.float64))}


def multiply_and_greedy(atoms, directions, budget):
    """Scores and greedy, end to end."""
    left, right = arrays[atoms], arrays[directions].T

    def work():
        a = left @ right
        return batches(a, gains_of_all(a), budget)

    seconds, (picks, current) = timed(work)
    return seconds, {"picks": picks, "value": float(current.mean(dtype=np.float64))}


# Max-gap and set cover.


def worst_deficits(a, full, current):
    """For every atom the largest deficit that it leaves."""
    worst = np.empty(len(a), a.dtype)
    buffer = np.empty((BLOCK, a.shape[1]), a.dtype)
    for start in range(0, len(a), BLOCK):
        rows = a[start : start + BLOCK]
        part = buffer[: len(rows)]
        np.maximum(rows, current, out=part)
        np.subtract(full, part, out=part).max(axis=1, out=worst[start : start + len(rows)])
    return worst


def gap_step(a, full, current, picks, by_gain):
    worst = worst_deficits(a, full, current)
    worst[picks] = np.inf
    best = int(worst.argmin())
    if by_gain:
        tied = np.flatnonzero(worst == worst[best])
        gains = np.maximum(a[tied] - current, 0).sum(axis=1)
        best = int(tied[gains.argmax()])
    picks.append(best)
    np.maximum(current, a[best], out=current)


def max_gap(scores, budget):
    """The max-gap rule by a full scan, the lowest index among equals."""
    a = arrays[scores]
    full = np.maximum(a.max(axis=0), 0)

    def work():
        current, picks = np.zeros_like(full), []
        for _ in range(budget):
            gap_step(a, full, current, picks, False)
        return picks, current

    seconds, (picks, current) = timed(work)
    return seconds, {"picks": picks, "value": float((full - current).max())}


def cover_within(transposed, full, tau, budget):
    """Greedy set cover at a threshold; None when the budget does not suffice."""
    open_ones = full > tau
    covers = transposed >= (full - tau)[:, None]
    covers[~open_ones] = False
    counts = covers.sum(axis=0, dtype=np.int32)
    left, cover = int(open_ones.sum()), []
    while left > 0:
        best = int(counts.argmax())
        if counts[best] * (budget - len(cover)) < left:
            return None
        cover.append(best)
        newly = np.flatnonzero(covers[:, best] & open_ones)
        open_ones[newly] = False
        left -= len(newly)
        counts -= covers[newly].sum(axis=0, dtype=np.int32)
    return cover


def set_cover(scores, budget):
    """Bisection on the threshold of greedy set cover, what is left of the budget by the max-gap rule."""
    a = arrays[scores]
    transposed = np.ascontiguousarray(a.T)
    full = np.maximum(a.max(axis=0), 0)

    def work():
        cover = cover_within(transposed, full, 0.0, budget)
        if cover is None:
            cover, lower, upper = [], 0.0, float(full.max())
            width = 1e-6 * upper
            while upper - lower > width:
                middle = lower + (upper - lower) / 2
                found = cover_within(transposed, full, middle, budget)
                if found is None:
                    lower = middle
                else:
                    cover, upper = found, float((full - np.maximum(a[found].max(axis=0), 0)).max())
        current, picks = np.maximum(a[cover].max(axis=0, initial=0), 0), list(cover)
        while len(picks) < budget:
            gap_step(a, full, current, picks, True)
        return picks, current

    seconds, (picks, current) = timed(work)
    return seconds, {"picks": picks, "value": float((full - current).max())}


# Linear and integer programs.


def robust_program(atoms, cost, radius, method):
    """min <c,x> + r max(0, max_i <d_i,x>) over the box [-1,1]^n, all rows at once."""
    d, c = arrays[atoms].astype(np.float64), arrays[cost].astype(np.float64).ravel()
    rows = np.hstack([radius * d, np.full((len(d), 1), -1.0)])
    bounds = [(-1, 1)] * len(c) + [(0, None)]

    def work():
        return optimize.linprog(np.append(c, 1.0), A_ub=rows, b_ub=np.zeros(len(d)), bounds=bounds, method=method)

    seconds, solution = timed(work)
    if solution.status != 0:
        raise RuntimeError(solution.message)
    return seconds, solution.fun


def integer_programs(cost, base, extra, atoms, cardinality, sets):
    """Choose K items at least cost so that no row overflows for the atoms of each set: one program after another."""
    cost, base, extra, atoms = (arrays[name] for name in (cost, base, extra, atoms))
    cost = cost.ravel()
    count = optimize.LinearConstraint(np.ones(len(cost)), cardinality, np.inf)

    def solve(chosen):
        scenarios = np.vstack([np.zeros(len(cost)), atoms[chosen]])
        rows = (base[:, None, :] + extra[:, None, :] * scenarios[None]).reshape(-1, len(cost))
        solution = optimize.milp(
            cost, integrality=np.ones(len(cost)), bounds=optimize.Bounds(0, 1),
            constraints=[count, optimize.LinearConstraint(rows, -np.inf, 1)], options={"mip_rel_gap": 0.0},
        )
        if solution.status not in (0, 2):
            raise RuntimeError(solution.message)
        return solution.fun  # None when infeasible

    return timed(lambda: [solve(chosen) for chosen in sets])


# Memory.


def peak(n, m, p, budget):
    """Peak resident memory of scores and lazy greedy in a process of its own."""
    random = np.random.default_rng(1)
    atoms = random.standard_normal((n, p), dtype=np.float32)
    directions = random.standard_normal((m, p), dtype=np.float32)
    begin = time.perf_counter()
    scores = np.empty((n, m), np.float32)
    np.matmul(atoms, directions.T, out=scores)
    batches(scores, gains_of_all(scores), budget)
    return time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


CALLS = {
    call.__name__: call
    for call in (
        describe, load, multiply, trial, widen, greedy, multiply_and_greedy, max_gap, set_cover,
        robust_program, integer_programs, peak,
    )
}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            seconds, result = CALLS[request["call"]](**request["arguments"])
            answer = {"seconds": seconds, "result": result}
        except Exception:  # pylint: disable=broad-except # whatever went wrong is told to the other side
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
