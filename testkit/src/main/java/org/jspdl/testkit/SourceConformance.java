package org.jspdl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.junit.jupiter.api.Test;

/// Checks that a source keeps the contract of [Source] and [Cursor], on which repeating and resuming a run rest.
///
/// For sources that can be repeated, that is, whose [Source#resume] is not `NONE`. Items are compared by `equals`.
/// Every position of the first 64 items is tried.
public abstract class SourceConformance<T> {
    private static final int TRIED_POSITIONS = 64;

    /// Called by JUnit.
    protected SourceConformance() {}

    /// A finite source of at least 10 items. Called several times: each time an equal source.
    protected abstract Source<T> source();

    /// An item of a pass, and the place behind it.
    private record Passed<T>(T item, Position after) {}

    @Test
    void hasEnoughItemsToSayAnything() throws Exception {
        assertThat(source().resume()).isNotEqualTo(Source.Resume.NONE);
        assertThat(pass(source(), 0, Position.START)).hasSizeGreaterThanOrEqualTo(10);
    }

    @Test
    void replaysFromAnyPosition() throws Exception {
        Source<T> source = source();
        List<Passed<T>> whole = pass(source, 0, Position.START);

        for (int i = 0; i < Math.min(whole.size(), TRIED_POSITIONS); i++) {
            assertThat(pass(source, 0, whole.get(i).after()))
                    .as("the items behind %s", whole.get(i).after())
                    .isEqualTo(whole.subList(i + 1, whole.size()));
        }
    }

    @Test
    void anEqualSourceYieldsEqualItemsAtEqualPositionsInEveryEpoch() throws Exception {
        for (long epoch = 0; epoch < 3; epoch++) {
            assertThat(pass(source(), epoch, Position.START)).isEqualTo(pass(source(), epoch, Position.START));
        }
    }

    @Test
    void positionsOfAnEpochDiffer() throws Exception {
        assertThat(pass(source(), 0, Position.START)).extracting(Passed::after).doesNotHaveDuplicates();
    }

    @Test
    void theSizeIfKnownIsTheNumberOfItems() throws Exception {
        Source<T> source = source();
        if (source.size().isPresent()) {
            assertThat(pass(source, 0, Position.START))
                    .hasSize((int) source.size().getAsLong());
        }
    }

    @Test
    void theEndStaysTheEnd() throws Exception {
        try (Cursor<T> cursor = source().open(0, Position.START)) {
            drain(cursor);

            assertThat(cursor.advance()).isFalse();
            assertThat(cursor.advance()).isFalse();
        }
    }

    @Test
    void cursorsOfOneSourceDoNotDisturbEachOther() throws Exception {
        Source<T> source = source();
        List<Passed<T>> whole = pass(source, 0, Position.START);

        try (Cursor<T> early = source.open(0, Position.START)) {
            early.advance();
            T first = early.item();

            assertThat(pass(source, 0, Position.START)).isEqualTo(whole);
            assertThat(first).isEqualTo(whole.getFirst().item());
            assertThat(drain(early)).isEqualTo(whole.subList(1, whole.size()));
        }
    }

    @Test
    void severalThreadsMayReadAtOnce() throws Exception {
        Source<T> source = source();
        List<Passed<T>> whole = pass(source, 0, Position.START);
        Callable<List<Passed<T>>> onePass = () -> pass(source, 0, Position.START);

        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<List<Passed<T>>> pass : threads.invokeAll(List.of(onePass, onePass, onePass, onePass))) {
                assertThat(pass.get()).isEqualTo(whole);
            }
        }
    }

    @Test
    void closingEarlyAndTwiceIsHarmless() throws Exception {
        Source<T> source = source();
        Cursor<T> cursor = source.open(0, Position.START);
        cursor.advance();

        cursor.close();
        cursor.close();

        assertThat(pass(source, 0, Position.START)).isNotEmpty();
    }

    private static <T> List<Passed<T>> pass(Source<T> source, long epoch, Position from) throws Exception {
        try (Cursor<T> cursor = source.open(epoch, from)) {
            return drain(cursor);
        }
    }

    private static <T> List<Passed<T>> drain(Cursor<T> cursor) throws Exception {
        List<Passed<T>> items = new ArrayList<>();
        while (cursor.advance()) {
            T item = cursor.item();
            items.add(new Passed<>(item, cursor.position()));
        }
        return items;
    }
}
