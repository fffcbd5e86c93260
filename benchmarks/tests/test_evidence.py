"""The figures of README and of docs/evidence.md, computed again from the raw results."""
import json
import pathlib
import re
import statistics
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (.+?) \| ([\d.,]+)( MiB| s)? \| (.+?): (\w+) \| `([\w.-]+\.json)` \| (\d{4}-\d\d-\d\d) \|$", re.MULTILINE)
UNITS = {" MiB": 1 << 20}
RESULT = re.compile(r"[\w-]+-20\d{6}[\w-]*\.json")
# What tables of commands call the measures.
MEASURES = {"items/s (least to most)": "items_per_second", "items/s": "items_per_second", "images/s": "items_per_second",
            "CPU seconds per 1,000 items": "cpu_seconds_per_1000_items", "CPU-s per 1,000": "cpu_seconds_per_1000_items",
            "first batch": "first_batch_seconds", "peak PSS": "peak_pss_bytes", "peak memory": "peak_memory_bytes",
            "sum of RSS": "peak_rss_sum_bytes", "processes": "processes",
            "first epoch": "first_epoch_seconds", "its CPU-s": "first_epoch_cpu_seconds"}
# What comparison.md calls the commands of its results.
LOADERS = {"jspdl 0.2.0": "jspdl", "jspdl 0.2.0, automatic workers": "jspdl, auto", "SPDL 0.6.0, a task is an image": "SPDL, a task is an image", "SPDL 0.6.0, a task is a batch": "SPDL, a task is a batch",
           "DataLoader, OpenCV 5.0": "DataLoader, opencv", "DataLoader, Pillow 12.3": "DataLoader, pil", "DataLoader, torchvision 0.29": "DataLoader, torchvision"}


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


def measured(name):
    """The medians of a raw result by command, of all that its rounds measured; none where the file has another form."""
    result = json.loads((ROOT / "benchmarks/results" / name).read_text(encoding="utf-8"))
    medians = {command: dict(values) for command, values in result.get("medians", {}).items()}
    for command, values in medians.items():
        rounds = [each for each in result["rounds"] if each["name"] == command]
        for key in ("first_epoch_seconds", "first_epoch_cpu_seconds"):
            if all(key in each for each in rounds):
                values[key] = statistics.median(each[key] for each in rounds)
    return medians


def sections(page):
    return re.split(r"^(?=#)", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)


def tables(section):
    """The tables of a section: a list of names of columns and the rows, each a list of cells."""
    for lines in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        head, _, *rows = [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in lines.splitlines()]
        yield head, rows


def differences(head, row, values):
    """The cells of a row that are not what was measured; columns of other things are passed over."""
    for column, cell in zip(head[1:], row[1:]):
        if cell == "-" or column not in MEASURES:
            continue
        number, _, rest = cell.partition(" ")
        key = MEASURES[column]
        if key not in values or number != spelled(values[key], number, " MiB" if rest.startswith("MiB") else ""):
            yield f"{column}: {cell}"
        spread = re.fullmatch(r"\(([\d,]+) to ([\d,]+)\)", rest)
        if spread and spread.groups() != tuple(f"{speed:,.0f}" for speed in values.get("items_per_second_range", ())):
            yield f"{column}: {rest}"


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

    def test_each_table_of_the_readme_is_of_one_run(self):
        """A row that joins the memory of one run to the speed of another compares nothing."""
        raws = {}
        for _, figure, unit, _, _, raw, _ in ROW.findall(evidence()):
            raws.setdefault(figure + unit, set()).add(raw)
        found = [rows for _, rows in tables(readme().split("## Measured")[1].split("\n## ")[0])]
        self.assertTrue(found)
        for rows in found:
            runs = set.intersection(*(raws.get(cell, set()) for row in rows for cell in row[1:] if cell[0].isdigit()))
            with self.subTest(table=rows[0][0]):
                self.assertTrue(runs, "no run has all of its figures")

    def test_the_figures_of_the_readme_are_medians_of_three_rounds_at_least(self):
        for claim, _, _, commands, _, raw, _ in ROW.findall(evidence()):
            if claim.startswith("README"):
                result = json.loads((ROOT / "benchmarks/results" / raw).read_text(encoding="utf-8"))
                with self.subTest(claim=claim):
                    self.assertGreaterEqual(min(result["medians"][command]["rounds"] for command in commands.split(" / ")), 3)

    def test_each_ratio_that_the_benchmarks_say_in_bold_is_there(self):
        known = {figure for _, figure, *_ in ROW.findall(evidence())}
        text = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
        ratios = [ratio for bold in re.findall(r"\*\*([^*]+)\*\*", text) for ratio in re.findall(r"(\d+\.\d+) times (?:the (?:images|items)|its|(?:the|DataLoader's) (?:images|items))", bold)]
        self.assertGreater(len(ratios), 10)
        self.assertEqual([], [ratio for ratio in ratios if ratio not in known])

    def test_tables_of_commands_have_the_figures_of_one_raw_result(self):
        compared = 0
        for page in ("docs/benchmarks.md", "docs/comparison.md"):
            for section in sections(page):
                results = {name: measured(name) for name in dict.fromkeys(RESULT.findall(section))}
                for head, rows in tables(section):
                    named = [row for row in rows if any(row[0] in commands for commands in results.values())]
                    if not named:
                        continue
                    wrong = [[f"{name}: {row[0]}: {what}" for row in named for what in differences(head, row, commands.get(row[0], {}))]
                             for name, commands in results.items()]
                    compared += 1
                    with self.subTest(section=section.splitlines()[0], table=named[0][0]):
                        self.assertEqual([], min(wrong, key=len), "no result has these figures; this is how the nearest differs")
        self.assertGreaterEqual(compared, 5)

    def test_the_comparison_has_the_figures_of_its_raw_result(self):
        section, = (each for each in sections("docs/comparison.md") if each.startswith("## Measured\n"))
        (head, rows), = tables(section)
        self.assertGreaterEqual(len(rows), 6)
        wrong = [[f"{name}: {row[0]}: {what}" for row in rows for what in differences(head, row, commands.get(LOADERS.get(row[0], row[0]) + ", 2 processors", {}))]
                 for name in RESULT.findall(section) for commands in [measured(name)]]
        self.assertEqual([], min(wrong, key=len), "no result has these figures; this is how the nearest differs")
        best = [max(values, key=float) if column == "images/s" else min(values, key=float) for column, values in
                ((column, [row[at].replace(",", "").split(" ")[0] for row in rows]) for at, column in enumerate(head) if at)]
        bold = [cell.replace(",", "").split(" ")[0] for line in section.splitlines() if line.startswith("|") for cell in re.findall(r"\*\*(.+?)\*\*", line)]
        self.assertEqual(sorted(best), sorted(bold), "bold is the best of a column")

    def test_every_raw_result_that_a_page_names_is_there(self):
        named = {(page.name, name) for page in (ROOT / "docs").rglob("*.md") for name in RESULT.findall(page.read_text(encoding="utf-8"))}
        self.assertGreater(len(named), 40)
        self.assertEqual([], sorted((page, name) for page, name in named if not (ROOT / "benchmarks/results" / name).exists()))

    def test_what_is_shown_by_a_test_or_a_program_is_there(self):
        _, table = evidence().split("## What is no figure")
        names = set(re.findall(r"`(\w+(?:Test|Cost|Dealing|Error|Items))`|`(test_\w+)\.py`", table))
        self.assertGreater(len(names), 25)
        files = {path.stem for kind in ("*.java", "test_*.py") for path in ROOT.rglob("src/**/" + kind)}
        self.assertEqual([], sorted(name for pair in names for name in pair if name and name not in files))

    def test_what_is_shown_by_a_file_is_there(self):
        named = re.findall(r"`(benchmarks/results/[\w.-]+)`", evidence())
        self.assertTrue(named)
        self.assertEqual([], [name for name in named if not (ROOT / name).exists()])


if __name__ == "__main__":
    unittest.main()
