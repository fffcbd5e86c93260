package org.jspdl.observe.sections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Value;
import org.junit.jupiter.api.Test;

class StageCostTest {
    private static final OptionalDouble UNKNOWN = OptionalDouble.empty();

    private static StageCost cost(String stage, long calls, double cpu, long bytes, OptionalDouble energy) {
        return StageCost.of(stage, calls, OptionalDouble.of(cpu), OptionalLong.of(bytes), energy, 10);
    }

    @Test
    void aStageHasOfTheEnergyWhatItHasOfTheProcessorTimeOfAllProcesses() {
        StageCost cost = cost("decode", 500, 4, 0, OptionalDouble.of(50));

        assertThat(cost.joules()).hasValue(20);
        assertThat(cost.joulesPerThousand()).hasValue(40);
        assertThat(cost.cpuSecondsPerThousand()).hasValue(8);
        assertThat(cost.readBytesPerThousand()).hasValue(0);
    }

    /// Clocks of threads and of the machine are read one after the other.
    @Test
    void noStageHasMoreThanAllOfTheEnergy() {
        assertThat(cost("decode", 500, 11, 0, OptionalDouble.of(50)).joules()).hasValue(50);
        assertThat(StageCost.of("a", 1, OptionalDouble.of(1), OptionalLong.empty(), OptionalDouble.of(5), 0)
                        .joules())
                .isEmpty();
    }

    @Test
    void ofNoCallsNothingIsKnownOfAThousand() {
        StageCost cost = cost("decode", 0, 0, 0, OptionalDouble.of(50));

        assertThat(cost.joulesPerThousand()).isEmpty();
        assertThat(cost.readBytesPerThousand()).isEmpty();
        assertThat(cost.cpuSecondsPerThousand()).isEmpty();
        assertThat(((Section.Table) StageCost.table(List.of(cost))).rows()).isEmpty();
    }

    @Test
    void theTableHasTheColumnsOfWhatIsKnown() {
        StageCost reads = cost("read", 2_000, 1, 4L << 20, UNKNOWN);
        StageCost decodes = cost("decode", 2_000, 6, 0, UNKNOWN);
        StageCost source = StageCost.of("images", 2_000, UNKNOWN, OptionalLong.of(0), UNKNOWN, 10);

        Section.Table table = (Section.Table) StageCost.table(List.of(source, reads, decodes));

        assertThat(table.columns()).extracting(Section.Column::label).containsExactly("stage", "CPU", "read");
        assertThat(table.rows().stream()
                        .map(row -> row.stream().map(Value::text).toList())
                        .toList())
                .containsExactly(List.of("read", "0.500 s", "2.00 MiB"), List.of("decode", "3.000 s", "0.00 MiB"));
        assertThat(((Section.Table) StageCost.table(List.of(cost("a", 1, 1, 0, OptionalDouble.of(1))))).columns())
                .extracting(Section.Column::label)
                .containsExactly("stage", "CPU", "energy");
    }
}
