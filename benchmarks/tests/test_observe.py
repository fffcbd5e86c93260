import unittest

from scenarios import observe


class ObserveTest(unittest.TestCase):
    def test_the_interval_of_a_median_is_that_of_the_tables_of_the_sign_test(self):
        for count, rank in ((6, 1), (10, 2), (20, 6), (64, 24)):
            self.assertEqual((rank, count + 1 - rank), observe.interval(list(range(1, count + 1))))

    def test_a_goal_is_settled_only_by_the_whole_interval(self):
        self.assertEqual("under 3%: yes", observe.settled(-0.01, 0.029, 0.03))
        self.assertEqual("under 3%: no", observe.settled(0.031, 0.05, 0.03))
        self.assertEqual("under 3%: not settled", observe.settled(0.01, 0.05, 0.03))

    def test_the_pairs_of_all_rounds_count_together(self):
        rounds = [{"name": "10 us: watched", "rate_against_plain": [-0.02] * 4, "cpu_against_plain": [0.01] * 4},
                  {"name": "10 us: watched", "rate_against_plain": [-0.02] * 4, "cpu_against_plain": [0.01] * 4}]

        said = observe.summary(rounds)

        self.assertRegex(said, r"10 us: watched .* -2.0% +-2.0% to -2.0% +\+1.0% +\+1.0% to \+1.0%  under 3%: yes")
