package org.jspdl.pipeline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspdl.pipeline.internal.Lineage.Element;
import org.jspdl.pipeline.internal.Lineage.Origin;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AssembliesStressTest {
    private static final int ROUNDS = Campaign.scale(1_500, 20_000);
    private static final int BATCHES = 20;

    private final Race race = new Race();
    private final Disposal disposal = new Disposal("stress");

    @AfterEach
    void endThreads() throws InterruptedException {
        race.close();
    }

    @Test
    void batchesComeWholeAndInTheirOrderWhoeverSetsTheirElements() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Assemblies assemblies = new Assemblies(1 + round % 4);
            LinkedBlockingQueue<Element> elements = new LinkedBlockingQueue<>();
            Queue<List<Object>> whole = new ConcurrentLinkedQueue<>();
            AtomicInteger left = new AtomicInteger(BATCHES * 3);
            Race.Racer setter = () -> {
                while (left.getAndDecrement() > 0) {
                    Element element = elements.take();
                    if (element.index == 1) {
                        element.assembly.missing(element.index);
                    } else {
                        assemblies.set(element, element.assembly.epoch * 10 + element.index, disposal);
                    }
                }
            };
            race.run(List.of(
                    () -> {
                        for (int batch = 0; batch < BATCHES; batch++) {
                            Envelope envelope = Envelope.item("", batch, new Origin(0, 0, Position.at(batch)));
                            Assembly assembly = assemblies.open(envelope, 3);
                            for (int i = 0; i < 3; i++) {
                                elements.add(new Element(assembly, i));
                            }
                        }
                        assemblies.mark(Envelope.epochEnd(7));
                    },
                    setter,
                    setter,
                    () -> {
                        for (Assembly next = assemblies.takeWhole(); next.mark == null; next = assemblies.takeWhole()) {
                            whole.add(next.removeAll());
                        }
                    }));
            assertThat(whole)
                    .as("round %d", round)
                    .containsExactlyElementsOf(IntStream.range(0, BATCHES)
                            .mapToObj(batch -> List.<Object>of(batch * 10L, batch * 10L + 2))
                            .toList());
        }
    }

    @Test
    void whenTheyEndEveryElementWasTakenOrIsClosedOnce() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Assemblies assemblies = new Assemblies(2);
            List<Piece> pieces = new ArrayList<>();
            List<Race.Racer> racers = new ArrayList<>();
            for (int batch = 0; batch < 2; batch++) {
                Assembly assembly = assemblies.open(Envelope.item("", batch, new Origin(0, 0, Position.at(batch))), 2);
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

    private static final class Piece implements AutoCloseable {
        final AtomicInteger closed = new AtomicInteger();

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
