import unittest

from scenarios import observe


class ObserveTest(unittest.TestCase):
    def test_the_interval_of_a_median_is_that_of_the_tables_of_the_sign_test(self):
        for count, rank in ((6, 1), (10, 2), (20, 6), (64, 24)):
            self.assertEqual((rank, count + 1 - rank), observe.interval(list(range(count, 0, -1))))

    def test_a_goal_is_settled_only_by_the_whole_interval(self):
        self.assertEqual("under 3%: yes", observe.settled(-0.01, 0.029, 0.03))
        self.assertEqual("under 3%: no", observe.settled(0.031, 0.05, 0.03))
        self.assertEqual("under 3%: not settled", observe.settled(0.01, 0.05, 0.03))

    def test_a_group_is_two_plain_passes_and_the_two_beside_them(self):
        result = {"plain": [[1.0, 2.0, 0], [1.2, 2.2, 0], [3.0, 6.0, 0], [3.0, 6.0, 0]],
                  "looked": [[1.1, 2.1, 0], [1.3, 2.3, 0], [3.1, 6.1, 0], [3.1, 6.1, 0]]}

        self.assertEqual([([[1.0, 2.0, 0], [1.2, 2.2, 0]], [[1.1, 2.1, 0], [1.3, 2.3, 0]]),
                          ([[3.0, 6.0, 0], [3.0, 6.0, 0]], [[3.1, 6.1, 0], [3.1, 6.1, 0]])], observe.groups(result))

    def test_groups_of_all_rounds_count_but_for_the_disturbed(self):
        calm = {"name": "10 us: watched", "plain": [[0.98, 1.0, 0]] * 8, "looked": [[1.0, 1.01, 0]] * 8}
        disturbed = {"name": "10 us: watched", "plain": [[1.0, 1.0, 0]] * 2, "looked": [[2.0, 1.5, 3.0]] * 2}

        said = observe.summary([calm, disturbed, calm])

        self.assertRegex(said, r"10 us: watched +8 of 9 +-2.0% +-2.0% to -2.0% +\+1.0% +\+1.0% to \+1.0%  under 3%: yes")
