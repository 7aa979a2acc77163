"""What package compare measures itself against: NumPy, SciPy's HiGHS and pandas, written as their users would write it.

A line of standard input is a request, {"call": name, "arguments": {...}}; a line of standard output is the answer,
{"seconds": processor time of the work alone, "result": ...} or {"error": text}. Arrays are read from .npy files once (load) and
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
import pandas
import scipy
from scipy import optimize, sparse

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
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


# Scores and greedy.


def multiply(atoms, directions, scores):
    """The matrix of scores, N x M, in the type of the data, in the memory of the product before where that has the size."""
    left, right = arrays[atoms], arrays[directions].T
    shape = (left.shape[0], right.shape[1])
    if scores not in arrays or arrays[scores].shape != shape:
        arrays[scores] = np.empty(shape, left.dtype)
    seconds, _ = timed(lambda: np.matmul(left, right, out=arrays[scores]))
    return seconds, list(shape)


def trial(array):
    factor = arrays[array]
    seconds, _ = timed(lambda: factor @ factor.T)
    return seconds, None


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


def knapsack(scores, costs, capacity, budget):
    """Greedy by gain over cost among what is affordable, every gain in every step, then the best single atom if that covers more."""
    a, costs = arrays[scores], np.array(costs)

    def gains(current):
        gain = np.empty(len(a), a.dtype)
        for start in range(0, len(a), BLOCK):
            gain[start : start + BLOCK] = np.maximum(a[start : start + BLOCK] - current, 0).sum(axis=1)
        return gain

    def work():
        current, picks, spent = np.zeros(a.shape[1], a.dtype), [], 0.0
        while len(picks) < budget:
            ratio = gains(current) / costs
            ratio[picks] = -np.inf
            ratio[spent + costs > capacity] = -np.inf
            best = int(ratio.argmax())
            if not ratio[best] > 0:
                break
            picks.append(best)
            spent += costs[best]
            np.maximum(current, a[best], out=current)
        alone = gains(np.zeros_like(current))
        alone[costs > capacity] = -np.inf
        best = int(alone.argmax())
        return ([best], np.maximum(a[best], 0)) if alone[best] > current.sum() else (picks, current)

    seconds, (picks, current) = timed(work)
    return seconds, {"picks": picks, "value": float(current.mean(dtype=np.float64))}


def full_scores(atoms, samples):
    """The support of all atoms at each sample, in float64."""
    d, s = arrays[atoms].astype(np.float64), arrays[samples].astype(np.float64)
    seconds, scores = timed(lambda: np.maximum((s @ d.T).max(axis=1), 0))
    return seconds, scores.tolist()


# Linear and integer programs.


def box_program(atoms, cost):
    """min <c,x> + t over the box [-1,1]^n and t >= 0: the atoms, the costs of x and t, and their bounds."""
    d, c = arrays[atoms].astype(np.float64), arrays[cost].astype(np.float64).ravel()
    return d, np.append(c, 1.0), [(-1, 1)] * len(c) + [(0, None)]


def rows_of(d, radius):
    """The rows r <d_i,x> - t <= 0."""
    return np.hstack([radius * d, np.full((len(d), 1), -1.0)])


def minimum(costs, rows, bounds, limits=0.0, **equalities):
    solution = optimize.linprog(costs, A_ub=rows, b_ub=np.broadcast_to(limits, len(rows)), bounds=bounds, method="highs-ds", **equalities)
    if solution.status != 0:
        raise RuntimeError(solution.message)
    return solution


def robust_program(atoms, cost, radius):
    """min <c,x> + r max(0, max_i <d_i,x>) over the box [-1,1]^n, all rows at once."""
    d, costs, bounds = box_program(atoms, cost)
    rows = rows_of(d, radius)
    seconds, solution = timed(lambda: minimum(costs, rows, bounds))
    return seconds, solution.fun


def cuts(d, costs, bounds, radius, x, **equalities):
    """min <costs,(x,t)> with t >= r max(0, max_i <d_i,x>) by rounds: look at all atoms, add the rows that are violated most, 50 of
    them or a thousandth, which is faster where there are many, solve."""
    chosen, most = np.empty(0, int), max(50, len(d) // 1000)
    while True:
        excess = radius * (d @ x[:-1]) - x[-1]
        excess[chosen] = -np.inf
        worst = np.argpartition(-excess, most)[:most]
        worst = worst[excess[worst] > 1e-7 * max(1, abs(costs @ x))]
        if len(worst) == 0:
            return float(costs @ x)
        chosen = np.append(chosen, worst)
        x = minimum(costs, rows_of(d[chosen], radius), bounds, **equalities).x


def cutting_planes(atoms, cost, radius):
    """The program of robust_program by rounds."""
    d, costs, bounds = box_program(atoms, cost)
    return timed(lambda: cuts(d, costs, bounds, radius, np.append(-np.sign(costs[:-1]), 0.0)))


def days(atoms, directions, radius):
    """min r max(0, max_i <d_i,x>) over the simplex, for a window of atoms that moves over one more direction each day, by rounds."""
    all_days, window = np.vstack([arrays[atoms], arrays[directions]]).astype(np.float64), len(arrays[atoms])
    n = all_days.shape[1]
    costs, whole = np.append(np.zeros(n), 1.0), np.append(np.ones(n), 0.0)[None]

    def day(k):
        return cuts(all_days[k:k + window], costs, (0, None), radius, np.append(np.full(n, 1 / n), 0.0), A_eq=whole, b_eq=[1])

    return timed(lambda: [day(k) for k in range(1, len(all_days) - window + 1)])


def rows_of_their_own(atoms, directions, cost, radius):
    """max <c,x> over the box [-1,1]^n where row k, <a_k,x> + r max(0, max_i <d_i,x>) <= 1, has atoms of its own, by rounds."""
    a, costs = arrays[directions].astype(np.float64), -arrays[cost].astype(np.float64).ravel()
    d = radius * arrays[atoms].astype(np.float64).reshape(len(a), -1, len(costs))

    def work():
        rows, x = a, np.sign(-costs)
        while True:
            reach = d @ x
            worst = reach.argmax(axis=1)
            violated = np.flatnonzero(a @ x + np.maximum(reach.max(axis=1), 0) > 1 + 1e-7)
            if len(violated) == 0:
                return float(costs @ x)
            rows = np.vstack([rows, a[violated] + d[violated, worst[violated]]])
            x = minimum(costs, rows, (-1, 1), limits=1.0).x

    return timed(work)


def gauges(atoms, samples):
    """min Σ a over a >= 0 with Σ a_i d_i = u, one program for each sample; -1 where there is no such a."""
    columns, s = arrays[atoms].astype(np.float64).T, arrays[samples].astype(np.float64)

    def gauge(u):
        solution = optimize.linprog(np.ones(columns.shape[1]), A_eq=columns, b_eq=u, method="highs-ds")
        return -1.0 if solution.status == 2 else float(solution.fun)

    return timed(lambda: [gauge(u) for u in s])


def budget_rows(widths, gamma, slope):
    """Γ z + Σ y <= slack over x, z, y: the row of the protection, and z + y_j >= w_j x_j, as A x <= b with b = 0 but for the first."""
    n = len(widths)
    protection = np.concatenate([slope, [gamma], np.ones(n)])
    sides = sparse.hstack([sparse.diags(widths), sparse.csr_matrix(-np.ones((n, 1))), -sparse.identity(n)])
    return protection, sides


def portfolio(stocks, gamma):
    """max Σ p_i x_i less the worst loss of a budget, the example of Bertsimas and Sim (2004), section 5: dual form."""
    i = np.arange(1, stocks + 1)
    means, deviations = 1.15 + 0.05 / 150 * i, 0.05 / 450 * np.sqrt(2 * i * 150 * 151)

    def work():
        costs, sides = budget_rows(deviations, gamma, -means)
        budget = np.concatenate([np.ones(stocks), np.zeros(stocks + 1)])[None]
        return optimize.linprog(costs, A_ub=sides, b_ub=np.zeros(stocks), A_eq=budget, b_eq=[1], bounds=(0, None), method="highs")

    seconds, solution = timed(work)
    return seconds, solution.fun


def budget_knapsacks(items, gammas):
    """max Σ c_j x_j for x of zeros and ones, Σ w_j x_j within 20 a item for every deviation of 10 % in a budget: dual form."""
    j = np.arange(items)
    weights, values = 20.0 + 7 * j % 10, 16.0 + 11 * j % 62
    whole = np.concatenate([np.ones(items), np.zeros(items + 1)])
    bounds = optimize.Bounds(0, np.concatenate([np.ones(items), np.full(items + 1, np.inf)]))

    def solve(gamma):
        protection, sides = budget_rows(0.1 * weights, gamma, weights)
        rows = [optimize.LinearConstraint(protection[None], -np.inf, 20.0 * items), optimize.LinearConstraint(sides, -np.inf, 0)]
        solution = optimize.milp(np.concatenate([-values, np.zeros(items + 1)]), integrality=whole, bounds=bounds, constraints=rows,
                                 options={"mip_rel_gap": 1e-6})
        if solution.status != 0:
            raise RuntimeError(solution.message)
        return solution.fun

    return timed(lambda: [solve(gamma) for gamma in gammas])


# Files.


def write_table(folder, rows, columns):
    table = np.random.default_rng(4).standard_normal((rows, columns))
    np.save(f"{folder}/table.npy", table)
    pandas.DataFrame(table).to_csv(f"{folder}/table.csv", index=False, header=[f"x{k}" for k in range(columns)])
    return 0.0, None


def read_table(path):
    """All numbers of a table, every digit of them, and their sum, so that each page is read."""
    def work():
        table = np.load(path) if path.endswith(".npy") else pandas.read_csv(path, float_precision="round_trip").to_numpy()
        return float(table.sum())
    return timed(work)


# Memory.


def peak(n, m, p, budget):
    """Peak resident memory of scores and lazy greedy in a process of its own."""
    random = np.random.default_rng(1)
    atoms = random.standard_normal((n, p), dtype=np.float32)
    directions = random.standard_normal((m, p), dtype=np.float32)
    begin = time.process_time()
    scores = np.empty((n, m), np.float32)
    np.matmul(atoms, directions.T, out=scores)
    batches(scores, gains_of_all(scores), budget)
    return time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


CALLS = {
    call.__name__: call
    for call in (
        describe, load, multiply, trial, widen, greedy, multiply_and_greedy, max_gap, set_cover, knapsack, full_scores,
        robust_program, cutting_planes, days, rows_of_their_own, gauges, portfolio, budget_knapsacks, write_table, read_table, peak,
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
