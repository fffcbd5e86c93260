package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.Ticket;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TicketTest {

    static LongStream seeds() {
        return LongStream.range(0, Campaign.scale(40, 1_000));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aCheckpointGivesTheStateAsOfItsTicketHoweverFarTheRunHasGone(long seed) {
        Recipes recipe = Recipes.of(seed, seed % 2 == 0 ? Order.INPUT : Order.COMPLETION);
        List<String> whole = Interrupted.never(recipe.build(new Tuning(seed)), RunOptions.defaults())
                .getFirst();
        List<String> delivered = new ArrayList<>();
        List<Ticket> tickets = new ArrayList<>();
        List<Checkpoint> checkpoints = new ArrayList<>();
        Random random = new Random(seed);
        List<Ticket> chosen = new ArrayList<>();
        try (Run<String> run = recipe.build(new Tuning(seed)).start()) {
            tickets.add(run.ticket());
            for (String item : run) {
                delivered.add(item);
                tickets.add(run.ticket());
            }
            for (int i = 0; i < 3; i++) {
                chosen.add(tickets.get(random.nextInt(tickets.size())));
            }
            chosen.forEach(ticket -> checkpoints.add(run.checkpoint(ticket)));
        }

        for (int i = 0; i < checkpoints.size(); i++) {
            int upTo = (int) chosen.get(i).delivered();
            List<String> together = new ArrayList<>(delivered.subList(0, upTo));
            together.addAll(Interrupted.never(
                            recipe.build(new Tuning(seed + i)),
                            RunOptions.defaults().resumeFrom(checkpoints.get(i)))
                    .getFirst());
            assertThat(together)
                    .as("seed %d, ticket %d of %s", seed, upTo, recipe)
                    .containsExactlyInAnyOrderElementsOf(whole);
        }
    }

    @Test
    void aTicketCountsWhatWasDelivered() {
        try (Run<Long> run = Pipeline.from(Sources.range(5)).start()) {
            assertThat(run.ticket().delivered()).isZero();
            var items = run.iterator();
            items.next();
            items.next();
            assertThat(items.hasNext()).isTrue();
            assertThat(run.ticket().delivered()).isEqualTo(2);
        }
    }

    @Test
    void anItemThatWasOnlyLookedAtComesAgain() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5));
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start()) {
            run.iterator().next();
            assertThat(run.iterator().hasNext()).isTrue();
            checkpoint = run.checkpoint();
        }
        assertThat(Interrupted.never(pipeline, RunOptions.defaults().resumeFrom(checkpoint))
                        .getFirst())
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void aTicketOfAnotherRunIsRefused() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5));
        try (Run<Long> one = pipeline.start();
                Run<Long> other = pipeline.start()) {
            Ticket ticket = one.ticket();
            assertThatThrownBy(() -> other.checkpoint(ticket))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another run");
        }
    }

    @Test
    void aCheckpointMayBeMadeAfterTheRunWasClosed() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5));
        Run<Long> run = pipeline.start();
        run.iterator().next();
        Ticket ticket = run.ticket();
        run.close();

        Checkpoint checkpoint = run.checkpoint(ticket);

        assertThat(Interrupted.never(pipeline, RunOptions.defaults().resumeFrom(checkpoint))
                        .getFirst())
                .containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void behindTheEndOfAnEpochTheNextOneComes() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3));
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2))) {
            assertThat(run.stream()).hasSize(3);
            checkpoint = run.checkpoint();
        }
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2).resumeFrom(checkpoint))) {
            assertThat(run.epoch()).isEqualTo(1);
            assertThat(run.stream()).containsExactly(0L, 1L, 2L);
            assertThat(run.nextEpoch()).isFalse();
        }
    }

    @Test
    void behindTheLastEpochNothingComes() {
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(3)).pipe(item -> item, StageOptions.cpu(2));
        Checkpoint checkpoint;
        try (Run<Long> run = pipeline.start()) {
            assertThat(run.stream()).hasSize(3);
            checkpoint = run.checkpoint();
        }
        try (Run<Long> run = pipeline.start(RunOptions.defaults().resumeFrom(checkpoint))) {
            assertThat(run.iterator().hasNext()).isFalse();
            assertThat(run.nextEpoch()).isFalse();
        }
    }
}
