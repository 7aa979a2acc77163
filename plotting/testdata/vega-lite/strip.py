"""Writes the JSON schema of Vega-Lite without its descriptions, compressed, as it is embedded here.

    /usr/bin/python3 plotting/testdata/vega-lite/strip.py /usr/share/nodejs/vega-lite

The argument is the folder of the package vega-lite (Debian: node-vega-lite).
"""

import gzip
import json
import os
import sys

PROSE = ("description", "default", "examples", "deprecated")


def strip(node, names=False):
    """Drops prose; names says that the keys of this object are names of properties or definitions."""
    if isinstance(node, list):
        return [strip(v) for v in node]
    if not isinstance(node, dict):
        return node
    return {k: strip(v, not names and k in ("properties", "definitions")) for k, v in node.items() if names or k not in PROSE}


package = sys.argv[1]
with open(os.path.join(package, "build", "vega-lite-schema.json"), encoding="utf-8") as file:
    schema = json.load(file)
with open(os.path.join(package, "package.json"), encoding="utf-8") as file:
    version = json.load(file)["version"]
target = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"vega-lite-{version}.json.gz")
with open(target, "wb") as file:
    file.write(gzip.compress(json.dumps(strip(schema), separators=(",", ":")).encode(), 9, mtime=0))
