"""The figures of README and of docs/evidence.md, computed again from the raw results."""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (.+?) \| ([\d.,]+)( MiB| s)? \| (.+?): (\w+) \| `([\w.-]+\.json)` \| (\d{4}-\d\d-\d\d) \|$", re.MULTILINE)
UNITS = {" MiB": 1 << 20}


def evidence():
    return (ROOT / "docs/evidence.md").read_text(encoding="utf-8")


def readme():
    return (ROOT / "README.md").read_text(encoding="utf-8")


def spelled(value, figure, unit):
    """`value` with as many decimals as `figure` has."""
    places = len(figure.partition(".")[2])
    return f"{value / UNITS.get(unit, 1):,.{places}f}"


def computed(medians, commands, key):
    first, *second = (medians[command][key] for command in commands.split(" / "))
    return first / second[0] if second else first


class EvidenceTest(unittest.TestCase):
    def test_each_figure_is_that_of_its_raw_result(self):
        rows = ROW.findall(evidence())
        self.assertGreater(len(rows), 25)
        for claim, figure, unit, commands, key, raw, date in rows:
            with self.subTest(claim=claim):
                result = json.loads((ROOT / "benchmarks/results" / raw).read_text(encoding="utf-8"))
                self.assertEqual(figure, spelled(computed(result["medians"], commands, key), figure, unit))
                self.assertEqual(date, result["started"][:10])

    def test_every_row_with_a_raw_result_was_read(self):
        table = evidence().split("## Figures")[1].split("\n## ")[0]
        self.assertEqual(table.count("benchmarks/results"), 0, "rows name the file alone")
        self.assertEqual(table.count(".json` |"), len(ROW.findall(table)))

    def test_each_measured_figure_of_the_readme_is_there(self):
        known = {figure + unit for _, figure, unit, *_ in ROW.findall(evidence())}
        measured = readme().split("## Measured")[1].split("\n## ")[0]
        cells = [cell.strip(" *") for line in measured.splitlines() if line.startswith("|") for cell in line.split("|")[2:-1]]
        figures = [cell for cell in cells if re.match(r"\d", cell)]
        self.assertGreaterEqual(len(figures), 16)
        ratios = re.findall(r"(\d+\.\d+) times", readme())
        self.assertGreaterEqual(len(ratios), 6)
        self.assertEqual([], [figure for figure in figures + ratios if figure not in known])

    def test_what_is_shown_by_a_file_is_there(self):
        named = re.findall(r"`(benchmarks/results/[\w.-]+)`", evidence())
        self.assertTrue(named)
        self.assertEqual([], [name for name in named if not (ROOT / name).exists()])


if __name__ == "__main__":
    unittest.main()
