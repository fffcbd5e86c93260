package org.jspdl.pipeline.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.source.Position;
import org.jspdl.stats.LinkStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinkTest {
    private final List<Object> disposed = new ArrayList<>();

    private Link link(int buffer, int producers, boolean ordered) {
        return new Link("link", buffer, producers, ordered, envelope -> disposed.add(envelope.value));
    }

    private static Envelope item(Object value, long sequence) {
        Envelope envelope = Envelope.item(value, 0, new Lineage.Origin(0, 0, Position.at(sequence)));
        envelope.sequence = sequence;
        return envelope;
    }

    private static void put(Link link, Object value, long sequence) {
        assertThat(link.tryReserve()).isTrue();
        link.put(item(value, sequence));
    }

    private static Object taken(Link link) {
        Envelope envelope = Objects.requireNonNull(link.poll());
        link.finished();
        return Objects.requireNonNull(envelope.value);
    }

    @Test
    void roomIsBufferAndProducersAndComesBackWhenItemsAreTaken() {
        Link link = link(2, 1, false);
        put(link, "a", 0);
        put(link, "b", 1);
        put(link, "c", 2);
        assertThat(link.tryReserve()).isFalse();

        assertThat(taken(link)).isEqualTo("a");

        assertThat(link.tryReserve()).isTrue();
        link.unreserve();
        assertThat(link.room()).isEqualTo(1);
    }

    @Test
    void aConsumerThatSleepsUntilManyItemsHaveComeWakesWhenTheLinkHasShrunk() throws Exception {
        Link link = new Link("link", new LinkPolicy(2, 1, () -> 0), false, envelope -> {});
        link.grows(false);
        for (int i = 0; i < 1_024; i++) {
            put(link, "light", i);
            taken(link);
        }
        CountDownLatch sleeps = new CountDownLatch(1);
        Waiter waiter = new Waiter() {
            @Override
            public void parks(BooleanSupplier condition) {
                sleeps.countDown();
            }

            @Override
            public void resumes() {}
        };
        assertThat(link.buffer()).isEqualTo(256);
        FutureTask<Object> taking = new FutureTask<>(() -> link.take(256, Long.MAX_VALUE, waiter));
        Thread consumer = Thread.ofPlatform().start(taking);
        sleeps.await();

        put(link, List.of("heavy"), 1_024);
        while (link.room() > 0) {
            put(link, "light", 1_025);
        }

        assertThat(link.buffer()).isEqualTo(2);
        try {
            assertThat(taking.get(30, TimeUnit.SECONDS)).isNotNull();
        } finally {
            link.cancel();
            consumer.join();
        }
    }

    @Test
    void puttingReservesRoomForAnotherOnlyWhereThereIsSome() {
        Link link = link(1, 1, false);
        assertThat(link.tryReserve()).isTrue();

        assertThat(link.putAndReserve(item("a", 0))).isTrue();
        assertThat(link.putAndReserve(item("b", 1))).isFalse();

        assertThat(link.room()).isZero();
        assertThat(taken(link)).isEqualTo("a");
        assertThat(link.room()).isEqualTo(1);
    }

    @Test
    void anOrderedLinkThatIsBrokenOffPassesOnWhatCameBefore() {
        Link link = link(2, 3, true);
        for (int i = 0; i < 5; i++) {
            assertThat(link.tryReserve()).isTrue();
        }
        link.put(item("c", 2));

        link.breakOff(1);
        link.drop(1);
        link.put(item("d", 3));
        link.put(item("a", 0));

        assertThat(disposed).containsExactly("c", "d");
        assertThat(taken(link)).isEqualTo("a");
        assertThat(link.poll()).isNull();
        link.drop(4);
        assertThat(link.room()).isEqualTo(5);
    }

    @Test
    void anOrderedLinkPassesOnInOrderWithTombstonesForWhatWasDropped() {
        Link link = link(2, 3, true);
        for (int i = 0; i < 4; i++) {
            assertThat(link.tryReserve()).isTrue();
        }
        link.put(item("d", 3));
        link.put(item("b", 1));
        assertThat(link.poll()).isNull();
        link.put(item("a", 0));
        assertThat(taken(link)).isEqualTo("a");
        assertThat(taken(link)).isEqualTo("b");
        assertThat(link.poll()).isNull();
        link.drop(2);
        assertThat(taken(link)).isEqualTo("d");
        assertThat(link.room()).isEqualTo(5);
    }

    @Test
    void aMarkWaitsUntilWhatWasTakenBeforeItIsFinished() {
        Link link = link(2, 1, false);
        put(link, "a", 0);
        link.mark(Envelope.epochEnd(0));
        assertThat(link.poll()).isNotNull();

        assertThat(link.poll()).isNull();
        assertThat(link.available()).isZero();
        link.finished();

        Envelope mark = Objects.requireNonNull(link.poll());
        assertThat(mark.kind).isEqualTo(Envelope.Kind.EPOCH_END);
    }

    @Test
    void nothingIsTakenWhileAMarkIsBeingForwarded() {
        Link link = link(2, 1, false);
        link.mark(Envelope.epochEnd(0));
        put(link, "next epoch", 0);
        assertThat(Objects.requireNonNull(link.poll()).isMark()).isTrue();

        assertThat(link.poll()).isNull();
        link.finished();

        assertThat(taken(link)).isEqualTo("next epoch");
    }

    @Test
    void cancellingDisposesWhatIsThereAndWhatComesLater() throws InterruptedException {
        Link link = link(3, 1, false);
        put(link, "a", 0);
        assertThat(link.tryReserve()).isTrue();

        link.cancel();
        link.put(item("late", 1));

        assertThat(disposed).containsExactly("a", "late");
        assertThat(link.poll()).isNull();
        assertThat(link.take(1, Long.MAX_VALUE, null)).isNull();
        assertThat(link.tryReserve()).isFalse();
        assertThat(link.reserve(null)).isFalse();
    }

    @Test
    void truncatingDisposesWhatIsThereAndEndsTheLink() throws InterruptedException {
        Link link = link(3, 2, true);
        for (int i = 0; i < 3; i++) {
            assertThat(link.tryReserve()).isTrue();
        }
        link.put(item("a", 0));
        link.put(item("held back", 2));

        link.truncate();
        link.put(item("late", 1));

        assertThat(disposed).containsExactlyInAnyOrder("a", "held back", "late");
        assertThat(Objects.requireNonNull(link.take(1, Long.MAX_VALUE, null)).kind)
                .isEqualTo(Envelope.Kind.END);
    }

    @Test
    void takingWithADeadlineReturnsNothingWhenItHasPassed() throws InterruptedException {
        assertThat(link(1, 1, false).take(1, System.nanoTime(), null)).isNull();
    }

    @Test
    void oneThatGathersIsGivenWhatThereIsOnceItsTimeIsOverOrAMarkFollows() throws InterruptedException {
        Link link = link(8, 1, false);
        put(link, "a", 0);
        put(link, "b", 1);

        assertThat(Objects.requireNonNull(link.take(4, System.nanoTime(), null)).value)
                .isEqualTo("a");
        link.mark(Envelope.epochEnd(0));
        assertThat(Objects.requireNonNull(link.take(4, Long.MAX_VALUE, null)).value)
                .isEqualTo("b");
    }

    @ParameterizedTest
    @MethodSource("heavy")
    void itemsThatOwnSomethingOrHoldManyDoNotWaitBehindALateOneUnlessTheirBytesAreBounded(Object value) {
        assertThat(roomBehindLate(value, false)).isZero();
        assertThat(roomBehindLate(value, true)).isEqualTo(LinkPolicy.MOST_BEHIND_LATE);
        assertThat(roomBehindLate("small", false)).isEqualTo(LinkPolicy.MOST_BEHIND_LATE);
    }

    /// The room that a link has when item 0 is late and others have filled it.
    private int roomBehindLate(Object value, boolean bounded) {
        Link link = link(8, 2, true);
        link.grows(bounded);
        for (int i = 0; i < 10; i++) {
            assertThat(link.tryReserve()).isTrue();
        }
        for (int i = 1; i < 10; i++) {
            link.put(item(value, i));
        }
        return link.room();
    }

    @ParameterizedTest
    @MethodSource("heavy")
    void aLinkOfItemsThatOwnSomethingOrHoldManyDoesNotGrow(Object value) {
        Link link = link(8, 1, false);
        link.grows(false);

        for (int i = 0; i < 1_000; i++) {
            put(link, value, i);
            link.poll();
            link.finished();
        }

        assertThat(link.room()).isEqualTo(9);
    }

    static List<Object> heavy() {
        return List.of((AutoCloseable) () -> {}, List.of(1), new byte[8], new long[0]);
    }

    @Test
    void anIdleEmptyLinkIsNotReady() {
        Link link = link(1, 1, false);
        LinkStats stats = link.stats(System.nanoTime() + 1_000_000_000);

        assertThat(stats.empty()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(stats.occupancy(Duration.ofSeconds(1))).isZero();
    }

    @Test
    void aLinkThatNobodyTakesFromIsReadyAndFull() {
        Link link = link(1, 1, false);
        put(link, "a", 0);
        LinkStats stats = link.stats(System.nanoTime() + Duration.ofHours(1).toNanos());

        assertThat(stats.full()).isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(stats.empty()).isLessThan(Duration.ofHours(1));
        assertThat(stats.size()).isEqualTo(1);
        assertThat(stats.passed()).isZero();
    }
}
