package org.jspdl.observe.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspdl.observe.history.WaitSums.Most;
import org.junit.jupiter.api.Test;

class WaitSumsTest {
    private final WaitSums sums = new WaitSums();

    @Test
    void theLargestPartIsToldWithTheFolderThatItsItemsHaveInCommon() {
        sums.add(false, "read", 50, "s3://photos/cat/0817.jpg");
        sums.add(false, "decode", 20, "s3://photos/cat/0818.jpg");
        sums.add(false, "read", 30, "s3://photos/crow/0001.jpg");

        assertThat(sums.most()).hasValue(new Most(false, "read", "s3://photos/", 0.8));
    }

    @Test
    void waitingInFrontOfAStageIsAnotherPartThanItsWork() {
        sums.add(false, "decode", 40, "");
        sums.add(true, "decode", 60, "");

        assertThat(sums.most()).hasValue(new Most(true, "decode", "", 0.6));
    }

    @Test
    void itemsWithNothingInCommonHaveNoPlace() {
        sums.add(false, "read", 10, "s3://photos/1.jpg");
        sums.add(false, "read", 10, "s3://sounds/1.wav");
        assertThat(sums.most().orElseThrow().place()).isEmpty();
    }

    @Test
    void withoutWaitsThereIsNothingToTell() {
        assertThat(sums.most()).isEmpty();
        sums.add(false, "read", 0, "a");
        assertThat(sums.most()).isEmpty();
    }
}
