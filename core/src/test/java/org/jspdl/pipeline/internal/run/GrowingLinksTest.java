package org.jspdl.pipeline.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.source.Position;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

/// Which of the links that are planned for a run grow while small items are quick.
///
/// One thread puts items into each link and takes them out at once, so that they are quick however busy the machine
/// is: between two threads nothing is quick that has to wait for a processor.
class GrowingLinksTest {
    private static final int MOST = 256;
    private static final int PATIENCE = 10_000_000;
    private static final int UNSET = 0;

    @Test
    void everyBufferThatIsNotSetGrowsTheLastOneIncluded() {
        assertThat(capacities(io(2), UNSET, RunOptions.defaults(), "light", PATIENCE))
                .containsEntry("source", MOST + 1)
                .containsEntry("first", MOST + 2)
                .containsEntry("last", MOST + 2);
    }

    @Test
    void aBufferThatIsSetStaysAsItIs() {
        assertThat(capacities(io(2).buffer(2), 3, RunOptions.defaults(), "light", 20_000))
                .containsEntry("first", 4)
                .containsEntry("last", 5);
    }

    @Test
    void nothingGrowsUnderAByteBudgetOrWithItemsThatAreClosed() {
        RunOptions budget = RunOptions.defaults().byteBudget(new ByteBudget(1_000_000, 0));

        assertThat(capacities(io(2), UNSET, budget, "light", 20_000))
                .containsEntry("source", 9)
                .containsEntry("last", 5);
        assertThat(capacities(io(2), UNSET, RunOptions.defaults(), (AutoCloseable) () -> {}, 20_000))
                .containsEntry("source", 9)
                .containsEntry("last", 5);
    }

    /// By the stage before it, how many items each link of a source and two stages holds after `items` quick ones,
    /// or once it has grown as far as any does.
    private static Map<String, Integer> capacities(
            StageOptions options, int prefetch, RunOptions run, Object item, int items) {
        Recipe.Site here = Recipe.Site.capture();
        Recipe recipe = new Recipe.From(Sources.range(9), "source", here);
        for (String stage : new String[] {"first", "last"}) {
            recipe = new Recipe.Pipe(recipe, stage, new Recipe.Body.Plain(each -> each), options, here);
        }
        Planner planner = new Planner(new RunCore("planned", run), null);
        Link _ = planner.plan(recipe, prefetch);
        Map<String, Integer> capacities = new LinkedHashMap<>();
        for (Link link : planner.links()) {
            for (int i = 0; i < items && link.room() <= MOST; i++) {
                boolean _ = link.tryReserve();
                link.put(Envelope.item(item, 0, new Lineage.Origin(0, 0, Position.at(i))));
                Objects.requireNonNull(link.poll());
                link.finished();
            }
            capacities.put(link.stats(0).name(), link.room());
        }
        return capacities;
    }
}
