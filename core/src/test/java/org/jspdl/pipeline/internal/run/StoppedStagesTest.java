package org.jspdl.pipeline.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Envelope.Kind;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.stage.Stage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a stage passes on after it was interrupted counts for nothing.
///
/// A stage that is interrupted gives up the item it works on, and the end of the epoch that waited for this item may
/// come next. Every stage here passes that mark on at once, and its consumer looks as soon as it has.
class StoppedStagesTest {
    private final RunCore core = new RunCore("probed", RunOptions.defaults());
    private final List<String> epochEnds = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Link broken = link("broken");
    private final Link beside = link("beside");
    private final Stage source = stage("source", List.of(), broken);
    private final Stage breaks = stage("breaks", List.of(broken), link("results"));
    private final Stage merge = stage("merge", List.of(links.getLast(), beside), link("merged"));

    private Link link(String name) {
        Link link = new Link(name, 2, 1, false, item -> {});
        link.connect("", 1, false, () -> {}, () -> {});
        links.add(link);
        return link;
    }

    private Stage stage(String name, List<Link> inputs, Link output) {
        Stage stage = new Interrupted(name, inputs, output);
        stages.add(stage);
        return stage;
    }

    private final class Interrupted extends Stage {
        private final Link output;

        Interrupted(String name, List<Link> inputs, Link output) {
            super(core, name, 1, inputs, List.of(output));
            this.output = output;
        }

        @Override
        public void start() {}

        @Override
        public void interrupt() {
            output.mark(Envelope.epochEnd(0));
            Envelope next = output.poll();
            if (next != null && next.kind == Kind.EPOCH_END) {
                epochEnds.add(name);
            }
            ended();
        }

        @Override
        public String placement() {
            return "test";
        }

        @Override
        public boolean isQuiet() {
            return true;
        }
    }

    @BeforeEach
    void start() {
        Link between = link("between");
        stage("far", List.of(), between);
        stage("near", List.of(between), beside);
        core.start(stages, links, List.of(), () -> {});
    }

    @Test
    void noEpochOfWhatAFailureStopsEndsAsIfItWereWhole() {
        core.fail(breaks, failure());

        assertThat(stages)
                .filteredOn(Stage::stopped)
                .extracting(stage -> stage.name)
                .containsExactlyInAnyOrder("source", "far", "near");
        assertThat(epochEnds).isEmpty();
        end();
    }

    @Test
    void noEpochOfAStageThatCantGoOnEndsAsIfItWereWhole() {
        core.breakDown(breaks, failure());

        assertThat(breaks.stopped()).isTrue();
        assertThat(merge.stopped()).isFalse();
        assertThat(epochEnds).isEmpty();
        end();
    }

    @Test
    void noEpochEndsAsIfItWereWholeBecauseTheRunIsClosed() {
        core.close();

        assertThat(stages).allMatch(Stage::stopped);
        assertThat(epochEnds).isEmpty();
    }

    @Test
    void noEpochEndsTwiceWhereOneHasEndedEarly() {
        assertThat(core.abandon(breaks)).isTrue();

        assertThat(source.stopped()).isTrue();
        assertThat(breaks.stopped()).isFalse();
        assertThat(epochEnds).isEmpty();
        core.close();
    }

    private static PipelineException failure() {
        return new PipelineException("breaks", "a failure", null);
    }

    private void end() {
        assertThat(core.takeFailure()).hasMessage("a failure");
        core.close();
    }
}
