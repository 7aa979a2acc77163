"""Build step: asks a kernel for a completion, until gopls has read the packages of a tutorial and keeps them in GOPLSCACHE."""

import sys
import time

from jupyter_client.manager import start_new_kernel

IMPORTS = """import (
    "context"
    "fmt"
    "math"
    "testing"

    "github.com/sparsero/directions/datasets"
    "github.com/sparsero/directions/notebooks/exercise"
    "github.com/sparsero/directions/notebooks/lesson"
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

manager, client = start_new_kernel(kernel_name="gonb")
client.execute_interactive(IMPORTS + "%%\nfmt.Println(context.Background(), math.Pi)", timeout=600)
found = False
for _ in range(60):
    answer = client.complete(QUESTION, len(QUESTION), reply=True, timeout=600)
    found = any("NewAtomicSet" in match for match in answer["content"].get("matches", ()))
    if found:
        break
    time.sleep(3)
time.sleep(5)  # gopls writes what it keeps behind the answer
client.stop_channels()
manager.shutdown_kernel()
if not found:
    sys.exit("error: gopls completes no name of the module")
