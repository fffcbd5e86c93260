package org.jspdl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

class SourceConformanceTest {
    @Test
    void aSourceThatForgetsWhereItWasOpenedFails() {
        assertThat(failedTestsOf(Samples.AlwaysFromTheStart.class)).containsExactly("replaysFromAnyPosition()");
    }

    @Test
    void aSourceThatYieldsOtherItemsEachTimeFails() {
        assertThat(failedTestsOf(Samples.Fickle.class))
                .contains("replaysFromAnyPosition()", "anEqualSourceYieldsEqualItemsAtEqualPositionsInEveryEpoch()");
    }

    @Test
    void aSourceThatIsTooSmallFails() {
        assertThat(failedTestsOf(Samples.Small.class)).containsExactly("hasEnoughItemsToSayAnything()");
    }

    private static List<String> failedTestsOf(Class<?> sample) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .execute()
                .testEvents()
                .failed()
                .stream()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .toList();
    }

    /// Sources that break the contract; the build does not run them by themselves.
    static final class Samples {
        private Samples() {}

        static class AlwaysFromTheStart extends SourceConformance<Long> {
            @Override
            protected Source<Long> source() {
                Source<Long> range = Sources.range(20);
                return (epoch, _) -> range.open(epoch, org.jspdl.source.Position.START);
            }
        }

        static class Fickle extends SourceConformance<Long> {
            private final AtomicLong draws = new AtomicLong();

            @Override
            protected Source<Long> source() {
                return Sources.indexed(20, _ -> draws.incrementAndGet());
            }
        }

        static class Small extends SourceConformance<Long> {
            @Override
            protected Source<Long> source() {
                return Sources.range(5);
            }
        }
    }
}
