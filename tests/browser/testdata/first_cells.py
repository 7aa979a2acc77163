"""Times the first cells of notebooks, each notebook in a fresh kernel.

Usage: first_cells.py NOTEBOOK...

Prints a line of JSON for each notebook, all times in seconds: its name; kernel, until the kernel answers; first, from
the request to run the first code cell to its end; shown, from the request to run the first cell that shows something
(number "cell", from 1) to its first output; status, ok or how a cell ended.
"""

import json
import sys
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

PATIENCE = 300  # a cell that needs them compiles packages or waits for the network
SHOWN = ("stream", "display_data", "execute_result")


def code_cells(path):
    cells = json.loads(path.read_text())["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run(client, source):
    """Returns the seconds to the first output (None without one) and to the end of a cell, and its status."""
    times = []

    def output(message):
        if message["msg_type"] in SHOWN:
            times.append(time.monotonic() - begin)

    begin = time.monotonic()
    reply = client.execute_interactive(source, timeout=PATIENCE, output_hook=output)
    return times[0] if times else None, time.monotonic() - begin, reply["content"]["status"]


def measure(path):
    result = {"name": path.stem, "status": "no cell shows anything"}
    begin = time.monotonic()
    manager, client = start_new_kernel(PATIENCE, "gonb", cwd=path.parent)
    result["kernel"] = time.monotonic() - begin
    try:
        for number, source in enumerate(code_cells(path), 1):
            shown, end, status = run(client, source)
            result.setdefault("first", end)
            if shown is not None or status != "ok":
                return result | {"shown": shown, "cell": number, "status": status}
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    return result


for name in sys.argv[1:]:
    print(json.dumps(measure(Path(name))), flush=True)
