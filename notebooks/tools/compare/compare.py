"""Measures this module beside NumPy and SciPy on the machine it runs on, and stores the figures. make compare calls it.

    compare.py -binary FILE           the full comparison: writes notebooks/results/speed* and quotes them in notebooks/results/README.md
    compare.py -binary FILE -quick    small data, once: checks that the results agree, stores nothing
    compare.py -binary FILE -growth   the growth with the number of atoms alone: writes speed_growth.csv and quotes it
    compare.py -quote                 measures nothing: writes the stored figures into notebooks/results/README.md

FILE is the compiled test binary of this folder, whose benchmarks are our side; peers.py is the other side. Both read the
same arrays and run in turn, repetition after repetition, so that what disturbs the machine disturbs both. OpenBLAS is
run with the core type that is fastest on this processor, because some builds choose a slow one. A time is stored only
where the results agree.
"""

import argparse
import csv
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RESULTS = ROOT / "notebooks" / "results"
COLUMNS = ["key", "workload", "unit", "limit_name", "limit", "peer", "peer_median", "peer_least", "ours_median", "ours_least",
           "ratio", "agreement", "repetitions"]
GROWTH_COLUMNS = ["atoms", "storage", "calls_per_atom", "again_ms", "first_ms", "bounds_ms", "again_factor", "first_factor", "bounds_factor",
                  "first_system_ms", "first_faults", "machine"]
BEGIN, END = "<!-- speed: written by make compare -->\n", "<!-- end of speed -->\n"
CORE_TYPES = ["", "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids", "NEOVERSEN1", "NEOVERSEV1"]
# How far values may be apart, relatively: what NumPy computed in float32, in float64, and optima.
SINGLE, DOUBLE, OPTIMUM = 1e-5, 1e-9, 1e-7

FULL = {"atoms": 15000, "directions": 1000, "dimension": 512, "budget": 50, "programs": [("isotropic", 1), ("clustered", 4)],
        "sets": 50, "growth": [50_000, 100_000, 200_000, 400_000, 800_000], "repetitions": 5}
QUICK = {"atoms": 700, "directions": 90, "dimension": 24, "budget": 12, "programs": [("isotropic", 1), ("clustered", 0.3)],
         "sets": 4, "growth": [200, 400], "repetitions": 1}


class Peer:
    """peers.py in a process of its own, with a core type of OpenBLAS."""

    def __init__(self, core=""):
        environment = dict(os.environ, **({"OPENBLAS_CORETYPE": core} if core else {}))
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
        """The seconds of one benchmark of the test binary, and its result."""
        duration = "1x" if self.scale is QUICK else duration
        arguments = [self.binary, "-test.run=^$", f"-test.bench=^Benchmark{benchmark}$", f"-test.benchtime={duration}"]
        done = subprocess.run(arguments, env=dict(os.environ, COMPARE_DATA=str(self.folder)), cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        found = re.search(r"(\d[\d.]*) ns/op", done.stdout)
        if done.returncode or not found:
            raise RuntimeError(f"{benchmark}:\n{done.stdout}")
        return float(found[1]) / 1e9, json.loads((self.folder / "result.json").read_text())

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
        """Scores, greedy, max-gap and set cover on isotropic and on clustered atoms."""
        s = self.scale
        sizes = f"N={s['atoms']:,}, M={s['directions']:,}, p={s['dimension']}, B={s['budget']}"
        for kind in ("isotropic", "clustered"):
            cloud = points(5, s["atoms"] + s["directions"], s["dimension"], kind)
            self.share(atoms=cloud[: s["atoms"]], directions=cloud[s["atoms"] :])
            self.task(Atoms=s["atoms"], Directions=s["directions"], Dimension=s["dimension"], Budget=s["budget"])
            call, budget = self.peer.call, s["budget"]
            product = lambda: call("multiply", atoms="atoms", directions="directions", scores="scores")
            seconds, results = self.in_turn(product, lambda: call("multiply_and_greedy", atoms="atoms", directions="directions", budget=budget), lambda: self.ours("ScoresGreedy"))
            self.add(f"scores_greedy_{kind}_2_best", f"scores + greedy, {kind}, {sizes}, 2 threads", "NumPy SGEMM + lazy greedy", seconds[1],
                     seconds[2], agree(results[1], results[2], SINGLE), limit=("one SGEMM", 1e3 * statistics.median(seconds[0])))
            call("widen", scores=["atoms", "directions"], wide="wide")
            for name, rule, benchmark, peer, tolerance, ask in (
                ("greedy", f"greedy_{kind}_batches", "Greedy", "NumPy lazy, batches", SINGLE, {"scores": "scores"}),
                ("max-gap", f"maxgap_{kind}", "MaxGap", "NumPy full scan", SINGLE, {"scores": "scores"}),
                ("set cover", f"setcover_{kind}", "SetCover", "NumPy set cover, float64", DOUBLE, {"scores": "wide"}),
            ):
                function = {"Greedy": "greedy", "MaxGap": "max_gap", "SetCover": "set_cover"}[benchmark]
                seconds, results = self.in_turn(lambda: call(function, budget=budget, **ask), lambda: self.ours(benchmark))
                self.add(rule, f"{name} on given scores, {kind}, {sizes}", peer, *seconds, agree(*results, tolerance))

    def programs(self):
        """Robust linear programs over all atoms, and many small integer programs."""
        import numpy as np
        s = self.scale
        n, p = s["atoms"], s["dimension"]
        for kind, radius in s["programs"]:
            self.share(atoms=points(7, n, p, kind), cost=points(8, 1, p, "isotropic"))
            self.task(Atoms=n, Dimension=p, Radius=radius)
            seconds, values = self.in_turn(lambda: self.peer.call("robust_program", atoms="atoms", cost="cost", radius=radius, method="highs-ds"),
                                           lambda: self.ours("Program"))
            self.add(f"lp_{n}_{p}_{kind}_{radius}", f"robust LP over all atoms, {kind}, N={n:,}, n={p}, r={radius}",
                     "SciPy linprog, HiGHS dual simplex, all rows", *seconds, same(*values))
        random = np.random.default_rng(3)
        self.task(Seed=5000, Sets=[sorted(map(int, random.choice(60, 10, replace=False))) for _ in range(s["sets"])])
        _, instance = self.ours("Instance")
        sets = json.loads((self.folder / "task.json").read_text())["Sets"]
        for name in ("cost", "base", "extra", "atoms"):
            self.share(**{name: np.array(instance[name])})
        peer = lambda: self.peer.call("integer_programs", cost="cost", base="base", extra="extra", atoms="atoms",
                                      cardinality=instance["cardinality"], sets=sets)
        seconds, values = self.in_turn(peer, lambda: self.ours("IntegerPrograms"), lambda: self.ours("Enumeration"))
        many = f"{len(sets)} small robust MILPs, n=30, 10 atoms"
        for k, (key, road) in enumerate((("milp_highs", "HiGHS"), ("milp_enumeration_scipy", "enumeration")), start=1):
            for theirs, mine in zip(values[0], values[k]):
                same(theirs, mine)
            self.add(key, f"{many}, {road}", "SciPy milp, HiGHS", seconds[0], seconds[k], "optima within 1e-7 relative, infeasible ones too")

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
        before = load()
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
                   "machine": f"{processor()}, {os.cpu_count()} cores, load {before}, huge pages {huge_pages()}"}
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
    """Compares two optima; None stands for infeasible."""
    if (theirs is None) != (ours is None) or theirs is not None and not abs(theirs - ours) <= OPTIMUM * (1 + abs(theirs)):
        raise RuntimeError(f"the optima are {theirs} (peer) and {ours}")
    return f"optimum within {OPTIMUM:.0e} relative"


def digits(value):
    """Three significant digits, nothing for NaN."""
    if math.isnan(value):
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def entry(path, name, separator):
    """The value of a line such as "model name : AMD"."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    return next((line.split(separator, 1)[1].strip(' "') for line in lines if separator in line and line.split(separator)[0].strip() == name), "unknown")


def machine(peer, before):
    versions = peer.call("describe")[1]
    go = subprocess.run(["go", "version"], text=True, stdout=subprocess.PIPE, check=True).stdout.split()
    flags = entry("/proc/cpuinfo", "flags", ":").split()
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M"),
        "processor": processor(),
        "cores": str(os.cpu_count()), "system": entry("/etc/os-release", "PRETTY_NAME", "="),
        "load before": before, "load after": load(), "go": f"{go[2]} {go[3]}",
        "vectors": " ".join(f for f in ("avx2", "fma", "f16c", "avx512f", "avx512vl") if f in flags) or "unknown",
        "peers": "Python {python}, NumPy {numpy}, SciPy {scipy}, {blas}".format(**versions), "core type": "best " + (versions["core"] or "unknown"),
    }


def processor():
    return "{} (family {}, model {})".format(*(entry("/proc/cpuinfo", n, ":") for n in ("model name", "cpu family", "model")))


def huge_pages():
    """When the system hands out pages of 2 MB: always, madvise (for programs that ask; this one does not) or never."""
    try:
        return re.search(r"\[(\w+)\]", pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text(encoding="utf-8"))[1]
    except OSError:
        return "unknown"


def load():
    return " ".join(f"{v:.2f}" for v in os.getloadavg())


def write_table(name, columns, records):
    with open(RESULTS / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)


def store(rows, host):
    """Writes the tables, and all of them but the growth as one text."""
    write_table("speed_comparison.csv", COLUMNS, rows)
    write_table("speed_machine.csv", ["name", "value"], [{"name": k, "value": v} for k, v in host.items()])
    lines = ["Speed beside the peers, measured in turn on the same data: make compare. Medians; ratio is the peer's over ours.", ""]
    lines += [f"{k:<12} {v}" for k, v in host.items()] + [""]
    lines += [f"{r['workload']:<85} {r['peer']:<45} {r['peer_median']:>6} {r['unit']}  ours {r['ours_median']:>6} {r['unit']}  ratio {r['ratio']:>5}" for r in rows]
    (RESULTS / "speed.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


QUOTED = ["scores_greedy_isotropic_2_best", "scores_greedy_clustered_2_best", "greedy_isotropic_batches", "greedy_clustered_batches",
          "maxgap_isotropic", "setcover_isotropic", "lp_15000_512_isotropic_1", "lp_15000_512_clustered_4", "milp_enumeration_scipy", "memory_held"]


def quote():
    """Writes the stored figures into the README.md of the results."""
    def table(name):
        with open(RESULTS / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    rows = {r["key"]: r for r in table("speed_comparison.csv")}
    host = {r["name"]: r["value"] for r in table("speed_machine.csv")}
    growth, first = table("speed_growth.csv"), rows[QUOTED[0]]
    lines = [
        f"The library and NumPy or SciPy run in turn on the same data, and their results agree. Times are medians of {first['repetitions']}. Machine: {host['processor']},",
        f"{host['cores']} cores, load {host['load before']} before the run;", f"{host['go']};",
        f"{host['peers']}; core type of OpenBLAS {host['core type']}, and the table uses the best.", "",
        "| workload | peer | peer's | ours | ratio |", "|---|---|---:|---:|---:|"]
    for r in (rows[key] for key in QUOTED):
        lines.append(f"| {r['workload']} | {r['peer']} | {r['peer_median']} {r['unit']} | {r['ours_median']} {r['unit']} | {r['ratio']} |")
    range_of = lambda way: "{} to {}".format(*(f(float(g[f"{way}_factor"]) for g in growth[1:]) for f in (min, max)))
    lines += ["", f"Scores and greedy together take {digits(float(first['ours_median']) / float(first['limit']))} times one SGEMM of the same "
              "shape by the best core type.", "",
              f"From {int(growth[0]['atoms']):,} to {int(growth[-1]['atoms']):,} atoms (M=256, p=64, B=50) each doubling costs {range_of('again')} times the processor time, "
              f"{range_of('bounds')} with bounds, in memory", "that the process has used before. The number of gains that greedy computes doubles exactly (`go test ./sparsero/selection -run GainsDouble`). The factor is larger",
              "at the step where the 2NM bytes of alignments, 26 MB at the beginning, no longer fit into the processor's cache. In new memory, where the system provides each page at its first use, a doubling costs "
              f"{range_of('first')} times,", f"and {growth[-1]['first_ms']} ms instead of {growth[-1]['again_ms']} ms at the end, {growth[-1]['first_system_ms']} ms of processor time in the system "
              f"({growth[0]['machine']})."]
    readme = RESULTS / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    readme.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-binary", help="compiled test binary of this folder")
    parser.add_argument("-quick", action="store_true", help="small data, once: check that the results agree, store nothing")
    parser.add_argument("-growth", action="store_true", help="measure and store the growth with the number of atoms alone")
    parser.add_argument("-quote", action="store_true", help="measure nothing: write the stored figures into README.md")
    options = parser.parse_args()
    if options.quote:
        return quote()
    if not options.binary:
        parser.error("-binary is missing: make compare builds it")
    before = load()
    with tempfile.TemporaryDirectory() as folder:
        c = Comparison(QUICK if options.quick else FULL, os.path.abspath(options.binary), pathlib.Path(folder))
        growth = c.growth()
        if not options.growth:
            c.selection()
            c.programs()
        if not options.quick:
            write_table("speed_growth.csv", GROWTH_COLUMNS, growth)
            if not options.growth:
                c.memory()
                store(c.rows, machine(c.peer, before))
            quote()
        c.peer.close()


if __name__ == "__main__":
    main()
