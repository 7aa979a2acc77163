"""Measures this module beside NumPy and SciPy on the machine it runs on, and stores the figures. make compare calls it.

    compare.py -binary FILE           the full comparison: writes notebooks/results/speed* and quotes them in notebooks/results/README.md
    compare.py -binary FILE -quick    small data, once: checks that the results agree, stores nothing
    compare.py -binary FILE -growth   the growth with the number of atoms alone: writes speed_growth.csv and quotes it
    compare.py -quote                 measures nothing: writes the stored figures into notebooks/results/README.md

FILE is the compiled test binary of this folder, whose benchmarks are our side; peers.py is the other side. Both read the
same arrays and run in turn, repetition after repetition, each on one thread; a time is processor time, because the clock would
tell about the neighbours on a shared machine. Both sides are called as a user would call them, with default options. OpenBLAS is
run with the core type that is fastest on this processor, because some builds choose a slow one. A time is stored only
where the results agree.
"""

import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import stored
from stored import COLUMNS, digits

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CORE_TYPES = ["", "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids", "NEOVERSEN1", "NEOVERSEV1"]
# How far values may be apart, relatively: what NumPy computed in float32, in float64, and optima.
SINGLE, DOUBLE, OPTIMUM = 1e-5, 1e-9, 1e-7
ALONE = {"GOMAXPROCS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # one thread on either side

# Programs: the distribution of the atoms, N, p, r, and whether a solver that gets all rows at once is waited for.
FULL = {"atoms": 15000, "directions": 1000, "dimension": 512, "budget": 50, "samples": 500, "files": 50_000,
        "programs": [("isotropic", 15000, 512, 1, True), ("clustered", 15000, 512, 4, True),
                     ("isotropic", 100_000, 64, 1, False), ("clustered", 100_000, 64, 4, False)],
        "gauges": (1000, 30, 20), "days": (1000, 20, 30), "rows": (1000, 300, 20),
        "stocks": 150, "items": 200, "gammas": [2.8, 6, 10, 14.1, 28.3, 60, 100],
        "growth": [50_000, 100_000, 200_000, 400_000, 800_000], "repetitions": 5}
QUICK = {"atoms": 700, "directions": 90, "dimension": 24, "budget": 12, "samples": 40, "files": 200,
         "programs": [("isotropic", 700, 24, 1, True), ("clustered", 700, 24, 0.3, True)],
         "gauges": (40, 8, 5), "days": (100, 3, 6), "rows": (20, 60, 4),
         "stocks": 20, "items": 20, "gammas": [2.8], "growth": [200, 400], "repetitions": 1}


class Peer:
    """peers.py in a process of its own, with a core type of OpenBLAS."""

    def __init__(self, core=""):
        environment = dict(os.environ, **ALONE, **({"OPENBLAS_CORETYPE": core} if core else {}))
        self.process = subprocess.Popen([sys.executable, HERE / "peers.py"], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, function, **arguments):
        """The seconds that a function of peers.py took, and its result."""
        self.process.stdin.write(json.dumps({"call": function, "arguments": arguments}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "the process ended"}')
        if "error" in answer:
            raise RuntimeError(f"peer {function}: {answer['error']}")
        return answer["seconds"], answer["result"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def best_peer(folder):
    """The peer whose core type multiplies fastest here; a core type that the processor cannot run ends its process."""
    import numpy as np
    path = folder / "trial.npy"
    np.save(path, np.random.default_rng(1).standard_normal((3000, 512), dtype=np.float32))
    best, least = None, math.inf
    for core in CORE_TYPES:
        peer = Peer(core)
        try:
            peer.call("load", name="trial", path=str(path))
            seconds = min(peer.call("trial", array="trial")[0] for _ in range(7))
        except (RuntimeError, OSError):
            peer.process.kill()
            continue
        if seconds * (1.03 if core else 1) < least:  # less of a gain is noise
            if best:
                best.close()
            best, least = peer, seconds
        else:
            peer.close()
    return best


class Comparison:
    def __init__(self, scale, binary, folder):
        self.scale, self.binary, self.folder, self.rows = scale, binary, folder, []
        self.peer = best_peer(folder) if scale is FULL else Peer()

    def ours(self, benchmark, duration="100ms"):
        """The processor seconds of one benchmark of the test binary, and its result."""
        duration = "1x" if self.scale is QUICK else duration
        arguments = [self.binary, "-test.run=^$", f"-test.bench=^Benchmark{benchmark}$", f"-test.benchtime={duration}"]
        done = subprocess.run(arguments, env=dict(os.environ, **ALONE, COMPARE_DATA=str(self.folder)), cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode or "ns/op" not in done.stdout:
            raise RuntimeError(f"{benchmark}:\n{done.stdout}")
        answer = json.loads((self.folder / "result.json").read_text())
        return answer["Seconds"], answer["Result"]

    def share(self, **arrays):
        """Writes arrays for both sides."""
        import numpy as np
        for name, values in arrays.items():
            np.asarray(values).astype(np.float32).tofile(self.folder / f"{name}.float32")
            path = self.folder / f"{name}.npy"
            np.save(path, values)
            self.peer.call("load", name=name, path=str(path))

    def task(self, **settings):
        (self.folder / "task.json").write_text(json.dumps(settings))

    def in_turn(self, *sides):
        """The seconds of every side, repetition after repetition, and the last results."""
        seconds, results = [[] for _ in sides], [None] * len(sides)
        for _ in range(self.scale["repetitions"]):
            for k, side in enumerate(sides):
                taken, results[k] = side()
                seconds[k].append(taken)
        return seconds, results

    def add(self, key, workload, peer, theirs, ours, agreement, unit="ms", limit=("", math.nan)):
        factor = 1e3 if unit == "ms" else 1
        values = [factor * v for v in (statistics.median(theirs), min(theirs), statistics.median(ours), min(ours))]
        self.rows.append(dict(zip(COLUMNS, [
            key, workload, unit, limit[0], digits(limit[1]), peer, *map(digits, values), digits(values[0] / values[2]), agreement, len(ours)])))
        print(f"{workload}: {digits(values[2])} {unit}, {peer}: {digits(values[0])} {unit} ({agreement})", flush=True)

    def selection(self):
        """Scores, greedy, max-gap, set cover and greedy within a capacity on isotropic and on clustered atoms."""
        import numpy as np
        s, call = self.scale, self.peer.call
        costs = [float(v) for v in np.random.default_rng(6).integers(1, 10, s["atoms"])]
        sizes = f"N={s['atoms']:,}, M={s['directions']:,}, p={s['dimension']}, B={s['budget']}"
        ask = {"budget": s["budget"]}
        for kind in ("isotropic", "clustered"):
            self.share_points(kind, s["atoms"], s["directions"], costs)
            product = lambda: call("multiply", atoms="atoms", directions="directions", scores="scores")
            product()  # a product into memory that is used again is the fastest
            seconds, results = self.in_turn(product, lambda: call("multiply_and_greedy", atoms="atoms", directions="directions", **ask), lambda: self.ours("ScoresGreedy"))
            self.add(f"scores_greedy_{kind}", f"scores, greedy and its bounds, {kind}, {sizes}", "NumPy SGEMM + lazy greedy, no bounds", seconds[1],
                     seconds[2], agree(results[1], results[2], SINGLE), limit=("one SGEMM", 1e3 * statistics.median(seconds[0])))
            call("widen", scores=["atoms", "directions"], wide="wide")
            for name, key, benchmark, peer, tolerance, scores in (
                ("greedy and its bounds", "greedy", "Greedy", "NumPy lazy, batches, no bounds", SINGLE, "scores"),
                ("max-gap", "maxgap", "MaxGap", "NumPy full scan", SINGLE, "scores"),
                ("set cover", "setcover", "SetCover", "NumPy set cover, float64", DOUBLE, "wide"),
            ):
                function = {"Greedy": "greedy", "MaxGap": "max_gap", "SetCover": "set_cover"}[benchmark]
                seconds, results = self.in_turn(lambda: call(function, scores=scores, **ask), lambda: self.ours(benchmark))
                self.add(f"{key}_{kind}", f"{name} on given scores, {kind}, {sizes}", peer, *seconds, agree(*results, tolerance))
            within = {"costs": costs, "capacity": 2.0 * s["budget"], "budget": s["budget"]}
            seconds, results = self.in_turn(lambda: call("knapsack", scores="scores", **within), lambda: self.ours("Knapsack"))
            self.add(f"knapsack_{kind}", f"greedy within a capacity and its bound, {kind}, {sizes}", "NumPy full scan, no bound", *seconds, agree(*results, SINGLE))

    def share_points(self, kind, atoms, directions, costs=()):
        """Atoms and directions of one distribution, for both sides."""
        s = self.scale
        cloud = points(5, atoms + directions, s["dimension"], kind)
        self.share(atoms=cloud[:atoms], directions=cloud[atoms:])
        self.task(Atoms=atoms, Directions=directions, Dimension=s["dimension"], Budget=s["budget"], Costs=list(costs))

    def scores(self):
        """The scores of calibration samples under the full dictionary, in float64."""
        s = self.scale
        self.share_points("isotropic", s["atoms"], s["samples"])
        seconds, values = self.in_turn(lambda: self.peer.call("full_scores", atoms="atoms", samples="directions"), lambda: self.ours("FullScores"))
        worst = max(abs(a - b) for a, b in zip(*values))
        if not worst <= DOUBLE * max(values[1]):
            raise RuntimeError(f"the scores are {worst} apart")
        self.add("full_scores", f"scores of {s['samples']} samples, N={s['atoms']:,}, p={s['dimension']}", "NumPy float64 product", *seconds,
                 f"all scores within {DOUBLE:.0e}")

    def programs(self):
        """Robust linear programs over all atoms: all rows at once, cutting planes, and ours."""
        s, call = self.scale, self.peer.call
        for kind, n, p, radius, whole in s["programs"]:
            self.share(atoms=points(7, n, p, kind), cost=points(8, 1, p, "isotropic"))
            self.task(Atoms=n, Dimension=p, Radius=radius)
            roads = {"cuts": (f"SciPy HiGHS, cutting planes, {max(50, n // 1000)} rows a round", lambda: call("cutting_planes", atoms="atoms", cost="cost", radius=radius))}
            if whole:
                roads["rows"] = ("SciPy HiGHS dual simplex, all rows", lambda: call("robust_program", atoms="atoms", cost="cost", radius=radius))
            roads["warm"] = (f"gonum and HiGHS from the last basis, cutting planes, {max(50, n // 1000)} rows a round", lambda: self.ours("WarmCuts"))
            seconds, values = self.in_turn(lambda: self.ours("Program"), *(road for _, road in roads.values()), lambda: self.ours("Design"))
            self.add(f"design_{n}_{p}_{kind}", f"robust LP over all atoms and certified design, {kind}, N={n:,}, n={p}, r={radius}",
                     roads["cuts"][0] + ", no design", seconds[1], seconds[-1], same(values[1], values[-1]))
            for k, (road, (peer, _)) in enumerate(roads.items(), start=1):
                self.add(f"lp_{road}_{n}_{p}_{kind}", f"robust LP over all atoms, {kind}, N={n:,}, n={p}, r={radius}", peer, seconds[k], seconds[0],
                         same(values[k], values[0]))

    def gauges(self):
        """Gauges of Gaussian samples, of which few lie in the cone of the atoms, and of as many that do."""
        import numpy as np
        samples, atoms, p = self.scale["gauges"]
        d = points(10, atoms, p, "isotropic")
        inside = np.random.default_rng(11).exponential(size=(samples // 2, atoms)).astype(np.float32) @ d
        self.share(atoms=d, directions=np.vstack([points(12, samples - len(inside), p, "isotropic"), inside]))
        self.task(Atoms=atoms, Directions=samples, Dimension=p)
        seconds, values = self.in_turn(lambda: self.peer.call("gauges", atoms="atoms", samples="directions"), lambda: self.ours("Gauge"))
        self.add("gauge", f"gauges of {samples:,} samples, S={atoms}, p={p}", "SciPy HiGHS dual simplex, one by one", *seconds, all_same(*values))

    def days(self):
        """A program over a window that moves by one atom a day."""
        atoms, days, p = self.scale["days"]
        self.share(atoms=points(13, atoms, p, "isotropic"), directions=points(14, days, p, "isotropic"))
        self.task(Atoms=atoms, Directions=days, Dimension=p, Radius=1)
        seconds, values = self.in_turn(lambda: self.peer.call("days", atoms="atoms", directions="directions", radius=1), lambda: self.ours("Days"))
        self.add("days", f"{days} days of a window of {atoms:,} x {p}", "SciPy HiGHS, cutting planes, 50 rows a round", *seconds, all_same(*values))

    def rows_of_their_own(self):
        """A program whose rows have atoms of their own, built and solved."""
        rows, share, p = self.scale["rows"]
        self.share(atoms=points(15, rows * share, p, "isotropic"), directions=points(16, rows, p, "isotropic"), cost=points(17, 1, p, "isotropic"))
        self.task(Atoms=rows * share, Directions=rows, Dimension=p, Radius=0.1)
        ask = {"atoms": "atoms", "directions": "directions", "cost": "cost", "radius": 0.1}
        seconds, values = self.in_turn(lambda: self.peer.call("rows_of_their_own", **ask), lambda: self.ours("Rows"))
        self.add("rows", f"{rows:,} robust rows of {share} x {p} each", "SciPy HiGHS, cutting planes, a row each a round", *seconds, same(*values))

    def budgets(self):
        """Budget sets of Bertsimas and Sim (2004): their portfolio, and their knapsack in whole numbers."""
        s, call = self.scale, self.peer.call
        self.task(Atoms=s["stocks"], Gammas=[5])
        seconds, values = self.in_turn(lambda: call("portfolio", stocks=s["stocks"], gamma=5), lambda: self.ours("Portfolio"))
        self.add("budget_portfolio", f"portfolio of {s['stocks']} stocks, Γ=5", "SciPy HiGHS, dual form", *seconds, same(*values))
        self.task(Atoms=s["items"], Gammas=s["gammas"])
        seconds, values = self.in_turn(lambda: call("budget_knapsacks", items=s["items"], gammas=s["gammas"]), lambda: self.ours("BudgetKnapsacks"))
        self.add("budget_knapsack", f"knapsack of {s['items']} items in whole numbers, {len(s['gammas'])} budgets Γ, gap 1e-6", "SciPy HiGHS, dual form",
                 *seconds, all_same(*values))

    def files(self):
        """A table of float64 as NPY and as CSV, read from a file that was read before."""
        s, call = self.scale, self.peer.call
        self.task(Atoms=s["files"], Dimension=64)
        call("write_table", folder=str(self.folder), rows=s["files"], columns=64)
        for kind, peer in (("npy", "NumPy load"), ("csv", "pandas read_csv, round_trip")):
            seconds, sums = self.in_turn(lambda: call("read_table", path=str(self.folder / f"table.{kind}")), lambda: self.ours(f"Load{kind.upper()}"))
            self.add(f"load_{kind}", f"dictionary of {s['files']:,} x 64 from {kind.upper()}", peer, *seconds, same(*sums).replace("optimum", "sum"))

    def memory(self):
        """The peak of resident memory; ours is what the test of package selection reports."""
        done = subprocess.run(["go", "test", "-count=1", "-v", "-run", "^TestPeakMemory$", "./sparsero/selection"], cwd=ROOT, text=True,
                              env=dict(os.environ, DIRECTIONS_LONG="1"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
        peaks = {kind: float(peak) for kind, peak in re.findall(r"TestPeakMemory/(\w+)[\s\S]*?peak (\d+) MB", done.stdout)}
        alone = Peer()
        numpy = alone.call("peak", n=100_000, m=1000, p=512, budget=50)[1] / 1e6
        alone.close()
        verdict = "the same picks held and streamed, checked where both fit"
        self.add("memory_held", "peak memory of scores + greedy, N=100,000, M=1,000, p=512, B=50", "NumPy float32, atoms and scores in memory",
                 [numpy], [peaks["held"]], verdict, "MB", ("what was asked for", 750))
        self.add("memory_streamed", "peak memory streaming from a file, N=1,000,000, M=1,000, p=64, B=20", "none: the scores alone take 4,000 MB",
                 [math.nan], [peaks["streamed"]], verdict, "MB", ("what was asked for", 1000))

    def growth(self):
        """Processor time of scores and greedy while the number of atoms doubles: for each of several dictionaries the least of some runs,
        every one in a process of its own, because what other work on the machine adds is not ours; then the mean over the dictionaries, because
        the number of gains that greedy looks at differs between them."""
        s, m, p = self.scale, 256, 64
        turns = {n: [[] for _ in range(s["repetitions"])] for n in s["growth"]}
        before = stored.load()
        for seed in range(s["repetitions"]):
            cloud = points(9 + seed, s["growth"][-1] + m, p, "clustered")
            self.share(atoms=cloud[:-m], directions=cloud[-m:])
            for _ in range(3):
                for n in s["growth"]:
                    self.task(Atoms=n, Directions=m, Dimension=p, Budget=s["budget"])
                    turns[n][seed].append(self.ours("Growth", "1x")[1])
        table, last = [], {}
        for n, dictionaries in turns.items():
            mean = lambda of: statistics.fmean(min(of(run) for run in runs) for runs in dictionaries)
            times = {way: mean(lambda run: run[way.title()]["Processor"]) for way in ("again", "first", "bounds")}
            row = {"atoms": n, "storage": dictionaries[0][0]["Storage"], "calls_per_atom": digits(mean(lambda run: run["Calls"]) / n),
                   "machine": f"{stored.processor()}, {os.cpu_count()} cores, load {before}, huge pages {stored.huge_pages()}"}
            for way, seconds in times.items():
                row[f"{way}_ms"] = digits(1e3 * seconds)
                row[f"{way}_factor"] = f"{seconds / last[way]:.2f}" if last else ""
            row["first_system_ms"] = digits(1e3 * mean(lambda run: run["First"]["System"]))
            row["first_faults"] = round(mean(lambda run: run["First"]["Faults"]))
            last = times
            table.append(row)
            print("growth", row, flush=True)
        return table


def points(seed, rows, columns, kind):
    """Standard normal points, or 200 such centres with points of half the spread around them."""
    import numpy as np
    random = np.random.default_rng(seed)
    drawn = random.standard_normal((rows, columns), dtype=np.float32)
    if kind == "clustered":
        drawn = random.standard_normal((200, columns), dtype=np.float32)[random.integers(200, size=rows)] + drawn / 2
    return drawn


def agree(theirs, ours, tolerance):
    """Compares two choices; where the peer computed in float32 a near tie may go the other way, and the values decide."""
    picks, mine = theirs["picks"], ours["Picks"]
    apart = abs(theirs["value"] - ours["Value"])
    if not apart <= tolerance * abs(ours["Value"]) or len(picks) != len(mine) or tolerance < SINGLE and picks != mine:
        raise RuntimeError(f"the sides do not agree: values {theirs['value']} and {ours['Value']}, picks {picks} and {mine}")
    alike = next((k for k, (a, b) in enumerate(zip(picks, mine)) if a != b), len(mine))
    return f"first {alike} of {len(mine)} picks identical, value within {tolerance:.0e}"


def same(theirs, ours):
    """Compares two optima."""
    if not abs(theirs - ours) <= OPTIMUM * (1 + abs(theirs)):
        raise RuntimeError(f"the optima are {theirs} (peer) and {ours}")
    return f"optimum within {OPTIMUM:.0e} relative"


def all_same(theirs, ours):
    """Compares several optima."""
    for pair in zip(theirs, ours, strict=True):
        same(*pair)
    return f"optima within {OPTIMUM:.0e} relative"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-binary", help="compiled test binary of this folder")
    parser.add_argument("-quick", action="store_true", help="small data, once: check that the results agree, store nothing")
    parser.add_argument("-growth", action="store_true", help="measure and store the growth with the number of atoms alone")
    parser.add_argument("-quote", action="store_true", help="measure nothing: write the stored figures into README.md")
    options = parser.parse_args()
    if options.quote:
        return stored.quote()
    if not options.binary:
        parser.error("-binary is missing: make compare builds it")
    before = stored.load()
    with tempfile.TemporaryDirectory() as folder:
        c = Comparison(QUICK if options.quick else FULL, os.path.abspath(options.binary), pathlib.Path(folder))
        growth = c.growth()
        if not options.growth:
            for part in (c.selection, c.scores, c.programs, c.days, c.rows_of_their_own, c.gauges, c.budgets, c.files):
                part()
        if not options.quick:
            stored.write_table("speed_growth.csv", stored.GROWTH_COLUMNS, growth)
            if not options.growth:
                c.memory()
                stored.store(c.rows, stored.machine(c.peer, before))
            stored.quote()
        c.peer.close()


if __name__ == "__main__":
    main()
