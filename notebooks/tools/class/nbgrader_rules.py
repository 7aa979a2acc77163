"""How nbgrader clears solutions and hidden tests for students, for tests on machines without nbgrader."""

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
