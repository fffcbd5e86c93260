package org.jspdl.pipeline.internal.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.internal.lineage.Lineage.Element;
import org.jspdl.pipeline.internal.lineage.Lineage.Origin;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class AssembliesStressTest {
    private static final WorkerSlot SLOT = new WorkerSlot(0);
    private static final int ROUNDS = Campaign.scale(300, 10_000);
    private static final int BATCHES = 10;
    private static final int ELEMENTS = 40;

    @RegisterExtension
    private final Race race = new Race();

    private final Disposer disposal = new Disposer("stress", _ -> {});

    @Test
    void batchesComeWholeAndInTheirOrderWhoeverSetsTheirElements() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Assemblies assemblies = new Assemblies(1 + round % 4);
            List<CompletableFuture<Assembly>> opened = Stream.generate(CompletableFuture<Assembly>::new)
                    .limit(BATCHES)
                    .toList();
            AtomicInteger turns = new AtomicInteger();
            List<List<Object>> whole = new ArrayList<>();
            race.run(List.of(
                    () -> {
                        for (int batch = 0; batch < BATCHES; batch++) {
                            opened.get(batch).complete(assemblies.open(batch(batch), ELEMENTS, SLOT, disposal));
                        }
                        assemblies.mark(Envelope.epochEnd(7), SLOT);
                    },
                    () -> setEverySecond(opened, 0, turns, assemblies),
                    () -> setEverySecond(opened, 1, turns, assemblies),
                    () -> {
                        for (Assembly next = assemblies.takeWhole(SLOT);
                                next.mark == null;
                                next = assemblies.takeWhole(SLOT)) {
                            whole.add(next.removeAll());
                        }
                    }));
            assertThat(whole).as("round %d", round).hasSize(BATCHES);
            for (int batch = 0; batch < BATCHES; batch++) {
                assertThat(whole.get(batch)).isEqualTo(survivors(batch));
            }
        }
    }

    private void setEverySecond(
            List<CompletableFuture<Assembly>> opened, int first, AtomicInteger turns, Assemblies assemblies) {
        for (int batch = 0; batch < BATCHES; batch++) {
            Assembly assembly = opened.get(batch).join();
            for (int i = first; i < ELEMENTS; i += 2) {
                Race.meet(turns, batch * ELEMENTS + (i - first) + 2);
                if (i % 5 == 4) {
                    assembly.missing(i);
                } else {
                    assemblies.set(new Element(assembly, i), batch * ELEMENTS + i, disposal);
                }
            }
        }
    }

    private static List<Object> survivors(int batch) {
        return IntStream.range(0, ELEMENTS)
                .filter(i -> i % 5 != 4)
                .mapToObj(i -> (Object) (batch * ELEMENTS + i))
                .toList();
    }

    private static Envelope batch(int number) {
        return Envelope.item("", number, new Origin(0, 0, Position.at(number)));
    }

    @Test
    void whenTheyEndEveryElementWasTakenOrIsClosedOnce() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Assemblies assemblies = new Assemblies(2);
            List<Piece> pieces = new ArrayList<>();
            List<Race.Racer> racers = new ArrayList<>();
            for (int batch = 0; batch < 2; batch++) {
                Assembly assembly = assemblies.open(
                        Envelope.item("", batch, new Origin(0, 0, Position.at(batch))), 2, SLOT, disposal);
                for (int i = 0; i < 2; i++) {
                    Piece piece = new Piece();
                    pieces.add(piece);
                    Element element = new Element(assembly, i);
                    racers.add(() -> assemblies.set(element, piece, disposal));
                }
            }
            racers.add(() -> assemblies.dispose(disposal));
            race.run(racers);
            assertThat(pieces)
                    .as("round %d", round)
                    .allSatisfy(piece -> assertThat(piece.closed).hasValue(1));
        }
    }

    @Test
    void aBatchThatBeginsWhileTheyEndIsDisposedOnceWithItsElements() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Assemblies assemblies = new Assemblies(1);
            AtomicInteger batches = new AtomicInteger();
            Disposer counting = new Disposer("stress", _ -> batches.incrementAndGet());
            Piece piece = new Piece();
            race.run(List.of(
                    () -> {
                        Assembly assembly = assemblies.open(batch(0), 2, SLOT, counting);
                        assemblies.set(new Element(assembly, 0), piece, counting);
                    },
                    () -> assemblies.dispose(counting)));
            assertThat(batches).as("round %d", round).hasValue(1);
            assertThat(piece.closed).as("round %d", round).hasValue(1);
        }
    }

    private static final class Piece implements AutoCloseable {
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
