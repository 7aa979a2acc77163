"""The stored figures of make compare: the tables in notebooks/results, and what notebooks/results/README.md quotes of them."""

import csv
import datetime
import math
import os
import pathlib
import re
import subprocess

RESULTS = pathlib.Path(__file__).resolve().parents[3] / "notebooks" / "results"
COLUMNS = ["key", "workload", "unit", "limit_name", "limit", "peer", "peer_median", "peer_least", "ours_median", "ours_least",
           "ratio", "agreement", "repetitions"]
GROWTH_COLUMNS = ["atoms", "storage", "calls_per_atom", "again_ms", "first_ms", "bounds_ms", "again_factor", "first_factor", "bounds_factor",
                  "first_system_ms", "first_faults", "machine"]
BEGIN, END = "<!-- speed: written by make compare -->\n", "<!-- end of speed -->\n"


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
    """When the system hands out pages of 2 MB: always, madvise (for programs that ask, as this one does for large arrays) or never."""
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


QUOTED = ["scores_greedy_isotropic", "scores_greedy_clustered", "greedy_isotropic", "greedy_clustered", "maxgap_isotropic", "setcover_isotropic",
          "knapsack_isotropic", "knapsack_clustered", "full_scores", "lp_rows_15000_512_isotropic", "lp_rows_15000_512_clustered", "lp_cuts_15000_512_isotropic",
          "lp_cuts_15000_512_clustered", "lp_cuts_100000_64_isotropic", "lp_cuts_100000_64_clustered",
          "lp_warm_15000_512_isotropic", "lp_warm_15000_512_clustered", "lp_warm_100000_64_isotropic", "lp_warm_100000_64_clustered",
          "design_15000_512_isotropic", "design_15000_512_clustered", "design_100000_64_isotropic", "design_100000_64_clustered",
          "days", "rows", "gauge", "budget_portfolio", "budget_knapsack", "load_npy", "load_csv", "memory_held"]


def quote():
    """Writes the stored figures into the README.md of the results."""
    def table(name):
        with open(RESULTS / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    rows = {r["key"]: r for r in table("speed_comparison.csv")}
    host = {r["name"]: r["value"] for r in table("speed_machine.csv")}
    growth, pair = table("speed_growth.csv"), [rows[key] for key in QUOTED[:2]]
    lines = [
        f"The library and NumPy or SciPy run in turn on the same data with default options, one thread each, and their results agree. Times are processor time, medians of {pair[0]['repetitions']}.",
        f"Machine: {host['processor']},",
        f"{host['cores']} cores, load {host['load before']} before the run;", f"{host['go']};",
        f"{host['peers']}; core type of OpenBLAS {host['core type']}, and the table uses the best.", "",
        "| workload | peer | peer's | ours | ratio |", "|---|---|---:|---:|---:|"]
    for r in (rows[key] for key in QUOTED if key in rows):
        lines.append(f"| {r['workload']} | {r['peer']} | {r['peer_median']} {r['unit']} | {r['ours_median']} {r['unit']} | {r['ratio']} |")
    range_of = lambda way: "{} to {}".format(*(f(float(g[f"{way}_factor"]) for g in growth[1:]) for f in (min, max)))
    beside = " and ".join(f"{digits(float(r['ours_median']) / float(r['limit']))} ({kind})" for r, kind in zip(pair, ("isotropic", "clustered")))
    lines += ["", f"Scores, greedy and its bounds together take {beside} times one SGEMM of the same shape by the best core type.", "",
              f"From {int(growth[0]['atoms']):,} to {int(growth[-1]['atoms']):,} atoms (M=256, p=64, B=50) each doubling costs {range_of('again')} times the processor time, "
              f"{range_of('bounds')} with bounds, in memory", "that the process has used before. The number of gains that greedy computes doubles exactly (`go test ./sparsero/selection -run GainsDouble`). The factor is larger",
              "at the step where the 2NM bytes of alignments, 26 MB at the beginning, no longer fit into the processor's cache. In new memory, where the system provides each page at its first use, a doubling costs "
              f"{range_of('first')} times,", f"and {growth[-1]['first_ms']} ms instead of {growth[-1]['again_ms']} ms at the end, {growth[-1]['first_system_ms']} ms of processor time in the system "
              f"({growth[0]['machine']})."]
    readme = RESULTS / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    readme.write_text(before + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")
