import json
import unittest

from harness import process, rounds, table
from scenarios import images


def outcome(lines):
    return process.Outcome(9.0, 5.0, 300, 200, 250, 3, 0.1, lines)


EVENTS = [(0.1, "a warning of a library"),
          (0.2, json.dumps({"event": "versions", "at": 1.2, "torch": "1.13"})),
          (0.9, json.dumps({"event": "first_batch", "at": 1.9, "shape": [64]})),
          (3.0, json.dumps({"event": "epoch", "at": 4.0, "epoch": 0, "items": 100, "seconds": 2.1, "cpu_seconds": 2.0})),
          (5.0, json.dumps({"event": "epoch", "at": 6.0, "epoch": 1, "items": 100, "seconds": 0.5, "cpu_seconds": 0.8}))]
REPORT = {"items": 100, "items_per_second": 300.0, "cpu_seconds_per_1000_items": 4.0, "first_batch_seconds": 0.4,
          "peak_rss_bytes": 150, "failures": 0}


class ImagesTest(unittest.TestCase):
    def test_a_peer_is_judged_by_its_last_epoch(self):
        figures = images.read_events(outcome(EVENTS))

        self.assertEqual(200, figures["items_per_second"])
        self.assertEqual(8, figures["cpu_seconds_per_1000_items"])
        self.assertEqual(0.9, figures["first_batch_seconds"])
        self.assertEqual({"torch": "1.13"}, figures["versions"])

    def test_a_report_is_found_between_other_lines(self):
        lines = [(0.1, "building"), *((1.0, line) for line in json.dumps(REPORT, indent=1).splitlines()), (2.0, "bye")]

        self.assertEqual(300, images.read_report(outcome(lines))["items_per_second"])

    def test_both_report_what_the_table_needs_and_ratios_are_against_the_fastest_peer(self):
        runs = []
        for name, figures in (("jspdl", images.read_report(outcome([(1, json.dumps(REPORT))]))),
                              ("peer", images.read_events(outcome(EVENTS)))):
            self.assertLessEqual(set(rounds.FIGURES), set(figures))
            runs.append({"name": name, "peak_pss_bytes": 200, "peak_memory_bytes": 250, "peak_rss_sum_bytes": 300, "processes": 3, "whole_seconds": 9,
                         "whole_cpu_seconds": 5, **figures})

        text = table.render(table.medians(runs), "jspdl")

        self.assertIn("1.50 x items/s, 0.50 x CPU", text)
        self.assertIn("1.00 x PSS, 1.00 x memory, 0.44 x time to the first batch", text)


if __name__ == "__main__":
    unittest.main()
