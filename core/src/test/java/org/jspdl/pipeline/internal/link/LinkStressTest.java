package org.jspdl.pipeline.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.internal.join.MarkBarrier;
import org.jspdl.pipeline.internal.lineage.Lineage.Origin;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class LinkStressTest {
    private static final int ROUNDS = Campaign.scale(2_000, 40_000);
    private static final int ITEMS = 60;

    @RegisterExtension
    private final Race race = new Race();

    private final Queue<Integer> taken = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> disposed = new ConcurrentLinkedQueue<>();

    @Test
    void everyItemIsTakenOnceAndNoneCrossesAMark() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            int producers = 1 + random.nextInt(3);
            int consumers = 1 + random.nextInt(3);
            Link link = link(1 + random.nextInt(3), producers, false);
            AtomicInteger next = new AtomicInteger();
            AtomicInteger unfinished = new AtomicInteger();
            MarkBarrier ended = new MarkBarrier(producers);
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                racers.add(() -> {
                    for (int epoch = 0; epoch < 2; epoch++) {
                        produce(link, next, epoch == 0 ? ITEMS / 2 : ITEMS);
                        ended.arrive(Envelope.epochEnd(epoch), slot(), link::mark);
                    }
                    ended.arrive(Envelope.end(), slot(), link::mark);
                });
            }
            MarkBarrier over = new MarkBarrier(1);
            for (int i = 0; i < consumers; i++) {
                racers.add(() -> consume(link, unfinished, over));
            }
            race.run(racers);
            assertThat(taken).as("round %d", round).containsExactlyInAnyOrderElementsOf(numbers(ITEMS));
            assertThat(unfinished).hasValue(0);
            taken.clear();
        }
        assertThat(disposed).isEmpty();
    }

    @Test
    void oneThatGathersSleepsOnlyWhileMoreCanCome() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            int producers = 1 + random.nextInt(3);
            int gathers = 1 + random.nextInt(20);
            Link link = link(1 + random.nextInt(16), producers, false);
            AtomicInteger next = new AtomicInteger();
            MarkBarrier ended = new MarkBarrier(producers);
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                racers.add(() -> {
                    produce(link, next, ITEMS);
                    ended.arrive(Envelope.end(), slot(), link::mark);
                });
            }
            racers.add(() -> gather(link, gathers));
            racers.add(() -> {
                for (int i = 0; i < 4; i++) {
                    link.resize(1 + random.nextInt(16), -1);
                }
            });
            race.run(racers);
            assertThat(taken).as("round %d", round).containsExactlyInAnyOrderElementsOf(numbers(ITEMS));
            taken.clear();
        }
    }

    /// Takes until the end, as one that makes something of so many items at once.
    private void gather(Link link, int items) throws InterruptedException {
        int held = 0;
        Envelope envelope = link.take(items, Long.MAX_VALUE, null);
        while (!envelope.isMark()) {
            taken.add((Integer) envelope.value);
            link.finished();
            held = (held + 1) % items;
            envelope = link.poll();
            envelope = envelope != null ? envelope : link.take(items - held, Long.MAX_VALUE, null);
        }
        link.finished();
    }

    private void produce(Link link, AtomicInteger next, int until) throws InterruptedException {
        while (true) {
            if (!link.reserve(null)) {
                throw new AssertionError("the link was cancelled");
            }
            int number = next.getAndUpdate(before -> Math.min(before + 1, until));
            if (number >= until) {
                link.unreserve();
                return;
            }
            link.put(item(number));
        }
    }

    /// Takes until the end; whoever takes the end tells the others by cancelling.
    private void consume(Link link, AtomicInteger unfinished, MarkBarrier over) throws InterruptedException {
        while (true) {
            Envelope envelope = link.take(1, Long.MAX_VALUE, null);
            if (envelope == null) {
                return;
            }
            switch (envelope.kind) {
                case ITEM -> {
                    unfinished.incrementAndGet();
                    taken.add((Integer) envelope.value);
                    unfinished.decrementAndGet();
                }
                case EPOCH_END -> {
                    int expected = envelope.epoch == 0 ? ITEMS / 2 : ITEMS;
                    if (unfinished.get() != 0 || taken.size() != expected) {
                        throw new AssertionError("the mark of epoch " + envelope.epoch + " came after " + taken.size()
                                + " items with " + unfinished + " unfinished");
                    }
                }
                case END -> {
                    assertThat(link.room())
                            .isEqualTo(link.stats(System.nanoTime()).capacity());
                    over.arrive(envelope, slot(), end -> link.cancel());
                }
            }
            link.finished();
        }
    }

    @Test
    void whenALinkIsCancelledEveryItemWasTakenOrIsDisposedAndNobodyWaits() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            boolean ordered = random.nextBoolean();
            Link link = link(1 + random.nextInt(3), 2, ordered);
            AtomicInteger sequences = new AtomicInteger();
            Queue<Integer> put = new ConcurrentLinkedQueue<>();
            int delay = random.nextInt(2_000);
            Race.Racer producer = () -> {
                while (true) {
                    if (!link.reserve(null)) {
                        return;
                    }
                    Envelope item = item(0);
                    item.sequence = sequences.getAndIncrement();
                    item.value = (int) item.sequence;
                    if (item.sequence % 5 == 4) {
                        link.drop(item.sequence);
                    } else {
                        put.add((Integer) item.value);
                        link.put(item);
                    }
                }
            };
            Race.Racer consumer = () -> {
                for (Envelope item = link.take(1, Long.MAX_VALUE, null);
                        item != null;
                        item = link.take(1, Long.MAX_VALUE, null)) {
                    taken.add((Integer) item.value);
                    link.finished();
                }
            };
            race.run(List.of(producer, producer, consumer, () -> {
                for (int i = 0; i < delay; i++) {
                    Thread.onSpinWait();
                }
                link.cancel();
            }));
            List<Integer> accounted = new ArrayList<>(taken);
            accounted.addAll(disposed);
            assertThat(accounted).as("round %d", round).containsExactlyInAnyOrderElementsOf(put);
            taken.clear();
            disposed.clear();
        }
    }

    @Test
    void anOrderedLinkPassesOnInTheOrderOfSequencesWhoeverPutsFirst() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            int workers = 2 + random.nextInt(2);
            int dropped = 2 + random.nextInt(4);
            Link input = link(4, 1, false);
            Link output = link(1 + random.nextInt(3), workers, true);
            List<Race.Racer> racers = new ArrayList<>();
            racers.add(() -> {
                for (int i = 0; i < ITEMS; i++) {
                    input.reserve(null);
                    input.put(item(i));
                }
            });
            AtomicInteger passed = new AtomicInteger();
            for (int i = 0; i < workers; i++) {
                racers.add(() -> work(input, output, dropped, passed));
            }
            int survivors = (int) numbers(ITEMS).stream()
                    .filter(number -> number % dropped != 0)
                    .count();
            racers.add(() -> {
                for (int i = 0; i < survivors; i++) {
                    taken.add((Integer) output.take(1, Long.MAX_VALUE, null).value);
                    output.finished();
                }
            });
            race.run(racers);
            assertThat(taken)
                    .as("round %d", round)
                    .containsExactlyElementsOf(numbers(ITEMS).stream()
                            .filter(number -> number % dropped != 0)
                            .toList());
            taken.clear();
        }
    }

    private static void work(Link input, Link output, int dropped, AtomicInteger passed) throws InterruptedException {
        while (passed.getAndIncrement() < ITEMS) {
            output.reserve(null);
            Envelope item = input.take(1, Long.MAX_VALUE, null);
            if ((Integer) item.value % dropped == 0) {
                output.drop(item.sequence);
            } else {
                output.put(item);
            }
            input.finished();
        }
    }

    @Test
    void aTruncatedLinkEndsAndDisposesWhatItHeld() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Link link = link(3, 2, false);
            AtomicInteger next = new AtomicInteger();
            Race.Racer producer = () -> {
                for (int i = 0; i < 20 && link.tryReserve(); i++) {
                    link.put(item(next.getAndIncrement()));
                }
            };
            race.run(List.of(producer, producer, link::truncate, () -> {
                Envelope envelope = link.take(1, Long.MAX_VALUE, null);
                while (!envelope.isMark()) {
                    taken.add((Integer) envelope.value);
                    link.finished();
                    envelope = link.take(1, Long.MAX_VALUE, null);
                }
            }));
            List<Integer> accounted = new ArrayList<>(taken);
            accounted.addAll(disposed);
            assertThat(accounted).as("round %d", round).containsExactlyInAnyOrderElementsOf(numbers(next.get()));
            taken.clear();
            disposed.clear();
        }
    }

    private Link link(int buffer, int producers, boolean ordered) {
        return new Link("link", buffer, producers, ordered, envelope -> disposed.add((Integer) envelope.value));
    }

    private static WorkerSlot slot() {
        return new WorkerSlot(System.nanoTime());
    }

    private static Envelope item(int number) {
        return Envelope.item(number, 0, new Origin(0, 0, Position.START));
    }

    private static List<Integer> numbers(int count) {
        return Collections.unmodifiableList(IntStream.range(0, count).boxed().toList());
    }
}
