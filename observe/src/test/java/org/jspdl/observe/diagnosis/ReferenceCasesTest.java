package org.jspdl.observe.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.jspdl.observe.virtual.Tandem.millisOfGet;
import static org.jspdl.observe.virtual.Tandem.millisOfPut;

import java.util.Map;
import org.assertj.core.data.Percentage;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.junit.jupiter.api.Test;

/// The cases by which the original explains its statistics: stages that wait, and a consumer that takes 30 ms. Here
/// they run in virtual time; the numbers they are compared with are those that the original measured, whose waits are
/// a little longer than asked for.
class ReferenceCasesTest {
    private static final double CONSUMER = 30;
    private static final int DELIVERIES = 2_000;
    private static final Percentage AS_MEASURED = Percentage.withPercentage(3);
    private static final double MILLIS = 1.2;

    @Test
    void aStageFasterThanTheConsumerIsNotTheLimit() {
        PipelineStats stats = Tandem.from(0).io("a", 1, 25).consume(DELIVERIES, CONSUMER);

        assertThat(stats.rate()).isCloseTo(32.9, AS_MEASURED);
        assertThat(millisOfPut(stats.stage("source"))).isCloseTo(30.1, within(MILLIS));
        assertThat(millisOfPut(stats.stage("a"))).isCloseTo(4.4, within(MILLIS));
        assertThat(stats.links().getLast().occupancy(stats.elapsed())).isGreaterThan(0.99);
        assertThat(first(stats).limit()).isEqualTo(Limit.CONSUMER);
    }

    @Test
    void aStageSlowerThanTheConsumerIs() {
        PipelineStats stats = Tandem.from(0).io("a", 1, 35).consume(DELIVERIES, CONSUMER);

        assertThat(stats.rate()).isCloseTo(27.8, AS_MEASURED);
        assertThat(stats.consumerWait().toMillis() / (double) DELIVERIES).isCloseTo(5.6, within(MILLIS));
        assertThat(stats.links().getLast().occupancy(stats.elapsed())).isLessThan(0.01);
        assertThatTheLimitIs("a", stats);
    }

    @Test
    void theSlowestOfThreeIsTheLimitAtTheEnd() {
        PipelineStats stats =
                Tandem.from(0).io("a", 1, 10).io("b", 1, 25).io("c", 1, 40).consume(DELIVERIES, CONSUMER);

        assertThat(stats.rate()).isCloseTo(24.6, AS_MEASURED);
        assertThat(stats.stages().stream().limit(3).map(Tandem::millisOfPut).toList())
                .usingElementComparator(ReferenceCasesTest::roughly)
                .containsExactly(40.6, 29.9, 14.8);
        assertThat(millisOfPut(stats.stage("c"))).isLessThan(0.1);
        assertThat(stats.links().stream()
                        .map(link -> Math.round(link.occupancy(stats.elapsed())))
                        .toList())
                .containsExactly(1L, 1L, 1L, 0L);
        assertThatTheLimitIs("c", stats);
        assertThat(first(stats).remedies().getFirst().gain()).isCloseTo(40 / CONSUMER, Percentage.withPercentage(1));
    }

    @Test
    void theSlowestOfThreeIsTheLimitAtTheBeginning() {
        PipelineStats stats =
                Tandem.from(0).io("a", 1, 40).io("b", 1, 25).io("c", 1, 10).consume(DELIVERIES, CONSUMER);

        assertThat(millisOfGet(stats.stage("a"))).isLessThan(0.1);
        assertThat(millisOfGet(stats.stage("b"))).isCloseTo(15.4, within(MILLIS));
        assertThat(millisOfGet(stats.stage("c"))).isCloseTo(30.3, within(MILLIS));
        assertThat(stats.consumerWait().toMillis() / (double) DELIVERIES).isCloseTo(10.9, within(MILLIS));
        assertThatTheLimitIs("a", stats);
    }

    @Test
    void aSecondSlotForTheSlowestMakesTheConsumerTheLimit() {
        PipelineStats stats =
                Tandem.from(0).io("a", 1, 10).io("b", 1, 25).io("c", 2, 40).consume(DELIVERIES, CONSUMER);

        assertThat(stats.rate()).isCloseTo(32.8, AS_MEASURED);
        assertThat(millisOfPut(stats.stage("a"))).isCloseTo(19.4, within(MILLIS));
        assertThat(millisOfPut(stats.stage("b"))).isCloseTo(4.1, within(MILLIS));
        assertThat(millisOfPut(stats.stage("c"))).isCloseTo(19.1, within(MILLIS));
        assertThat(first(stats).limit()).isEqualTo(Limit.CONSUMER);
    }

    @Test
    void waitsOfSeveralSlotsAddUp() {
        StageStats stage =
                Tandem.from(0).io("a", 3, 40).consume(DELIVERIES, CONSUMER).stage("a");

        assertThat(millisOfPut(stage)).isCloseTo(48.2, within(2.0));
    }

    @Test
    void batchesOfFourLeaveTheConsumerTheLimitAndBatchesOfSixDoNot() {
        PipelineStats four = Tandem.from(0).io("a", 1, 6).batch(4).consume(DELIVERIES, CONSUMER);
        PipelineStats six = Tandem.from(0).io("a", 1, 6.75).batch(6).consume(DELIVERIES, CONSUMER);

        assertThat(four.stage("a").rate(four.elapsed())).isCloseTo(132.7, AS_MEASURED);
        assertThat(four.rate()).isCloseTo(32.9, AS_MEASURED);
        assertThat(first(four).limit()).isEqualTo(Limit.CONSUMER);
        // The original's waits of 6 ms took an eighth longer, as its 148 items a second say.
        assertThat(six.stage("a").rate(six.elapsed())).isCloseTo(148, AS_MEASURED);
        assertThat(six.rate()).isCloseTo(24.7, AS_MEASURED);
        assertThatTheLimitIs("a", six);
    }

    private static int roughly(double one, double other) {
        return Math.abs(one - other) <= MILLIS ? 0 : Double.compare(one, other);
    }

    private static void assertThatTheLimitIs(String stage, PipelineStats stats) {
        assertThat(first(stats).limit()).isEqualTo(Limit.STAGE);
        assertThat(first(stats).stage()).isEqualTo(stage);
    }

    private static Finding first(PipelineStats stats) {
        Evidence.Work waits = new Evidence.Work(0.01, 0, 0, "Pauses.micros");
        return Diagnosis.of(VirtualProcess.idle().around(stats, Map.of("a", waits, "b", waits, "c", waits)))
                .first();
    }
}
