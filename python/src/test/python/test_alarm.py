"""The alarm of a trainer that waits for data, with a clock of the test's own."""
import unittest

from jspdl._alarm import Alarm


class AlarmTest(unittest.TestCase):
    def setUp(self):
        self.alarm, self.now, self.waited, self.told = Alarm(), 100.0, 0.0, []

    def seconds(self, seconds, part):
        """Steps of 0.1 s, of which `part` is waited."""
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            self.waited += 0.1 * part
            told = self.alarm.took(self.now, self.waited)
            if told is not None:
                self.told.append(told)

    def test_a_rise_is_told_once_and_so_is_its_end(self):
        self.seconds(60, 0.02)
        self.assertEqual([], self.told)

        self.seconds(60, 0.3)
        self.assertEqual(1, len(self.told))
        self.assertRegex(self.told[0], r"^after 6\d s: the trainer waits for data for \d+\.\d% of the time, 2\.0% before$")

        self.seconds(60, 0.02)
        self.assertEqual(2, len(self.told))
        self.assertRegex(self.told[1], r"of the time again$")

    def test_what_was_so_from_the_start_is_not_told(self):
        self.seconds(120, 0.9)
        self.assertEqual([], self.told)

    def test_the_first_seconds_are_not_compared(self):
        self.seconds(10, 0.0)
        self.seconds(60, 0.5)
        self.assertEqual([], self.told)

    def test_a_pause_of_the_trainer_is_no_wait(self):
        self.seconds(60, 0.02)
        self.now += 300
        self.seconds(60, 0.02)
        self.assertEqual([], self.told)


if __name__ == "__main__":
    unittest.main()
