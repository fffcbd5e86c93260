package org.jspdl.observe.sections;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.text.DisplayText;

/// What all calls of a stage took together.
///
/// @param stage      its name
/// @param calls      how many there were; their inputs are what `items` means in a report
/// @param cpuSeconds processor time; empty if it was not measured
/// @param readBytes  read from storage; empty if that was not counted
/// @param joules     its part of the energy of all processors; empty if either is not known
public record StageCost(
        String stage, long calls, OptionalDouble cpuSeconds, OptionalLong readBytes, OptionalDouble joules) {
    private static final double THOUSAND = 1_000;
    private static final int LONGEST_NAME = 48;
    private static final double MEBIBYTE = 1 << 20;

    /// A cost whose energy is the part of `energy` that the stage has of the processor time of all processes: what
    /// processors take while they are idle is shared out alike.
    ///
    /// @param energy     joules of the machine; empty if it does not tell
    /// @param allSeconds processor time of all processes of the machine
    public static StageCost of(
            String stage,
            long calls,
            OptionalDouble cpuSeconds,
            OptionalLong readBytes,
            OptionalDouble energy,
            double allSeconds) {
        boolean shared = energy.isPresent() && cpuSeconds.isPresent() && allSeconds > 0;
        return new StageCost(
                stage,
                calls,
                cpuSeconds,
                readBytes,
                shared
                        ? OptionalDouble.of(
                                energy.getAsDouble() * Math.clamp(cpuSeconds.getAsDouble() / allSeconds, 0.0, 1.0))
                        : OptionalDouble.empty());
    }

    /// Of 1,000 calls; empty before the first.
    public OptionalDouble cpuSecondsPerThousand() {
        return perThousand(cpuSeconds);
    }

    /// Of 1,000 calls; empty before the first.
    public OptionalDouble readBytesPerThousand() {
        return perThousand(
                readBytes.isPresent() ? OptionalDouble.of((double) readBytes.getAsLong()) : OptionalDouble.empty());
    }

    /// Of 1,000 calls; empty before the first.
    public OptionalDouble joulesPerThousand() {
        return perThousand(joules);
    }

    private OptionalDouble perThousand(OptionalDouble all) {
        return all.isEmpty() || calls <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(THOUSAND * all.getAsDouble() / calls);
    }

    /// A stage's name, of which people see no more than a column has room for.
    public static Value name(String stage) {
        return new Value.Shown(new Value.Words(stage), DisplayText.squeezed(stage, LONGEST_NAME, true));
    }

    /// A number for programs; null if it is not known.
    public static Value value(OptionalDouble known) {
        return known.isPresent() ? new Value.Decimal(known.getAsDouble(), "") : new Value.Unknown();
    }

    /// A table for people, of what is known; JSON has it with the stages.
    public static Section table(List<StageCost> stages) {
        List<StageCost> known = stages.stream()
                .filter(each -> each.calls > 0
                        && (each.cpuSeconds.isPresent() || each.readBytes.orElse(0) > 0 || each.joules.isPresent()))
                .toList();
        boolean reads = known.stream().anyMatch(each -> each.readBytes.orElse(0) > 0);
        boolean energy = known.stream().anyMatch(each -> each.joules.isPresent());
        List<Column> columns = new ArrayList<>(List.of(Column.words("", "stage"), Column.numbers("", "CPU")));
        if (reads) {
            columns.add(Column.numbers("", "read"));
        }
        if (energy) {
            columns.add(Column.numbers("", "energy"));
        }
        List<List<Value>> rows = new ArrayList<>();
        for (StageCost each : known) {
            List<Value> row = new ArrayList<>(
                    List.of(name(each.stage), shown(each.cpuSecondsPerThousand(), seconds -> seconds, "%.3f s")));
            if (reads) {
                row.add(shown(each.readBytesPerThousand(), bytes -> bytes / MEBIBYTE, "%,.2f MiB"));
            }
            if (energy) {
                row.add(shown(each.joulesPerThousand(), joules -> joules, "%,.2f J"));
            }
            rows.add(row);
        }
        return new Section.Table(
                "",
                "Cost of 1,000 items",
                columns,
                rows,
                energy ? "Energy is that of all processes of the machine, shared out by CPU time." : "",
                Integer.MAX_VALUE);
    }

    private static Value shown(OptionalDouble known, ToDoubleFunction<Double> unit, String format) {
        return new Value.Words(
                known.isPresent() ? String.format(Locale.ROOT, format, unit.applyAsDouble(known.getAsDouble())) : "");
    }
}
