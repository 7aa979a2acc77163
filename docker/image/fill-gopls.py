"""Build step: asks a kernel for completion and help, until gopls has read the packages of a tutorial and keeps them in
GOPLSCACHE."""

import sys
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

IMPORTS = """import (
    "context"
    "fmt"
    "math"
    "testing"

    "github.com/sparsero/directions/datasets"
    "github.com/sparsero/directions/notebooks/exercise"
    "github.com/sparsero/directions/notebooks/lesson"
    "github.com/sparsero/directions/notebooks/lesson/page"
    "github.com/sparsero/directions/plotting"
    "github.com/sparsero/directions/plotting/chart"
    "github.com/sparsero/directions/solver/highs"
    "github.com/sparsero/directions/sparsero"
    "github.com/sparsero/directions/sparsero/calibration"
    "github.com/sparsero/directions/sparsero/certificate"
    "github.com/sparsero/directions/sparsero/robust"
    "github.com/sparsero/directions/sparsero/selection"
    "gonum.org/v1/gonum/mat"
)
"""
QUESTION = "%%\nsparsero.NewAtomicS"



def busy():
    """The processor time that gopls has taken, in ticks."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        name, _, fields = path.read_text().partition(") ")
        if name.endswith("(gopls"):
            ticks += sum(map(int, fields.split()[11:13]))
    return ticks


manager, client = start_new_kernel(kernel_name="gonb")
client.execute_interactive(IMPORTS + "%%\nfmt.Println(context.Background(), math.Pi)", timeout=600)
found = False
for _ in range(60):
    answer = client.complete(QUESTION, len(QUESTION), reply=True, timeout=600)
    found = any("NewAtomicSet" in match for match in answer["content"].get("matches", ()))
    if found:
        break
    time.sleep(3)
client.inspect("%%\nsparsero.Identity", 18, reply=True, timeout=600)
for _ in range(60):  # gopls goes on behind its answers, and keeps what it finds
    before = busy()
    time.sleep(5)
    if busy() - before < 10:
        break
client.stop_channels()
manager.shutdown_kernel()
if not found:
    sys.exit("error: gopls completes no name of the module")
