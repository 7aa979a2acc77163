"""What nbgrader does with a notebook, as far as marks depend on it, for tests on machines without nbgrader: how it clears
solutions and hidden tests for students, and how it marks a test cell (nbgrader.utils.determine_grade)."""

import re

import exercises as kit


def cleared(lines, begin, end, stub):
    """The lines without the regions between two delimiters, each replaced by the stub at the indentation of its first line."""
    kept, inside = [], False
    for line in lines:
        if begin in line:
            if inside:
                raise ValueError("a region begins within another")
            inside = True
            indent = re.match(r"\s*", line)[0]
            kept += [indent + text for text in stub]
        elif end in line:
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise ValueError("a region has no end")
    return kept


def release(notebook):
    """The notebook that nbgrader generate_assignment would make of a source notebook, in place."""
    for cell in notebook["cells"]:
        details = cell["metadata"].get("nbgrader", {})
        lines = kit.source(cell).split("\n")
        if details.get("solution"):
            lines = cleared(lines, "BEGIN SOLUTION", "END SOLUTION", ["// your answer"])
        if details.get("grade"):
            lines = cleared(lines, "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", [])
        cell["source"] = "\n".join(lines)
    return notebook


def determine_grade(cell):
    """The points that nbgrader gives an executed test cell: none after an error or with anything on stderr, a number where
    the cell has one as its result, otherwise all."""
    most = float(cell["metadata"]["nbgrader"]["points"])
    for output in cell["outputs"]:
        if output["output_type"] == "error" or output["output_type"] == "stream" and output["name"] == "stderr":
            return 0.0, most
        if output["output_type"] == "execute_result":
            try:
                return float(output["data"]["text/plain"]), most
            except ValueError:
                pass
    return most, most
