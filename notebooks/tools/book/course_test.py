"""Tests of course.py; go test runs them."""

import unittest

import nbformat.v4 as v4

import course


def lesson(name, *cells):
    return course.Lesson(name, v4.new_notebook(cells=[v4.new_markdown_cell(text) for text in cells]))


class Course(unittest.TestCase):
    def test_describe(self):
        read = lesson("04_nets", "# Nets: a title\n\n**What you will learn**\n\n- to see;\n- to prove.\n\n**Paper**: section 3.1 (Theorem 3.1).\n"
                      "**Running time**: half a minute. Three seeds run live.\n")
        self.assertEqual((read.title, read.learn, read.paper, read.time, read.number),
                         ("Nets: a title", ["to see", "to prove"], "section 3.1 (Theorem 3.1)", "half a minute", "04"))
        self.assertEqual(lesson("troubleshooting_x", "# X").number, "")

    def test_closing(self):
        for text, want in [
            ("Words.", "Words.\n\nPrevious: [00_a](00_a.ipynb). Next: [02_c](02_c.ipynb)."),
            ("Previous: [00_a](00_a.ipynb).", "Previous: [00_a](00_a.ipynb). Next: [02_c](02_c.ipynb)."),
            ("previous: [00 A](00_a.ipynb)", "previous: [00 A](00_a.ipynb). Next: [02_c](02_c.ipynb)."),
            ("Previous: [z](z.ipynb). Next: [02_c](02_c.ipynb), at last.", "Previous: [00_a](00_a.ipynb). Next: [02_c](02_c.ipynb), at last."),
            ("Next: [02_c](02_c.ipynb). Previous: [00_a](00_a.ipynb).", "Next: [02_c](02_c.ipynb). Previous: [00_a](00_a.ipynb)."),
        ]:
            middle = lesson("01_b", "# A title", text)
            middle.previous, middle.next = lesson("00_a", "# A"), lesson("02_c", "# C")
            self.assertEqual(middle.closing(), want)

    def test_figure(self):
        def drawn(picture, *tags):
            cell = v4.new_code_cell("1", outputs=[v4.new_output("display_data", {"image/png": picture})])
            cell.metadata["tags"] = list(tags)
            return cell
        notebook = v4.new_notebook(cells=[v4.new_markdown_cell("# A"), drawn("YQ=="), drawn("Yg=="), drawn("Yw==", course.TAG)])
        self.assertEqual(course.Lesson("a", notebook).figure(), b"c")
        notebook.cells.pop()
        self.assertEqual(course.Lesson("a", notebook).figure(), b"a")
        self.assertIsNone(lesson("a", "# A").figure())

    def test_paths(self):
        lessons = [lesson(name, "# X") for name in ("00_a", "01_b", "20_c", "d")]
        self.assertEqual([found.name for found in course.path_lessons("20 99 01", lessons)], ["20_c", "01_b"])

    def test_parts(self):
        lessons = [lesson(name, "# X") for name in ("01_a", "10_b", "11_c", "20_d", "e")]
        found = [[of.name for of in part] for _, _, part in course.parts(lessons)]
        self.assertEqual(found, [["01_a", "10_b"], ["11_c"], ["20_d", "e"]])
        self.assertEqual(len(list(course.parts(lessons[:1]))), 1)


if __name__ == "__main__":
    unittest.main()
