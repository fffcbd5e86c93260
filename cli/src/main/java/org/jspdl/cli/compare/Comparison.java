package org.jspdl.cli.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspdl.cli.run.EpochFigures;
import org.jspdl.cli.run.RunReport;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.text.Figures;

/// A run beside the same work done by a DataLoader, both in their last epoch.
///
/// @param ours   the report of the run
/// @param theirs what the DataLoader did
public record Comparison(RunReport ours, DataLoaderFigures theirs) {
    /// The section for the run's report: a row each, and how they compare.
    public Section section() {
        EpochFigures last = ours.epochs().getLast();
        return new Section.Table(
                "comparison",
                "Compared with PyTorch's DataLoader",
                List.of(
                        Column.words("loader", "loader"),
                        Column.numbers("images_per_second", "images/s"),
                        Column.numbers("cpu_seconds_per_1000_items", "CPU per 1,000"),
                        Column.words("versions", "of")),
                List.of(
                        row(
                                "jspdl",
                                last.itemsPerSecond(),
                                OptionalDouble.of(last.cpuSecondsPer1000Items()),
                                "Java " + Runtime.version().feature()),
                        row(
                                "DataLoader, " + Figures.counted(theirs.workers(), "worker", "workers"),
                                theirs.imagesPerSecond(),
                                theirs.cpuSecondsPer1000(),
                                theirs.versions())),
                note(last),
                Integer.MAX_VALUE);
    }

    private static List<Value> row(String loader, double rate, OptionalDouble cpu, String versions) {
        return List.of(
                new Value.Words(loader),
                new Value.Rate(rate, ""),
                cpu.isPresent() ? new Value.Decimal(cpu.getAsDouble(), "s") : new Value.Unknown(),
                new Value.Words(versions));
    }

    private String note(EpochFigures last) {
        List<String> parts = new ArrayList<>();
        double images = last.itemsPerSecond() / theirs.imagesPerSecond();
        OptionalDouble cpu = theirs.cpuSecondsPer1000();
        parts.add(String.format(Locale.ROOT, "%.2f times the images a second", images)
                + (cpu.isPresent() && cpu.getAsDouble() > 0
                        ? String.format(
                                Locale.ROOT,
                                " and %.2f times the processor time of the DataLoader",
                                last.cpuSecondsPer1000Items() / cpu.getAsDouble())
                        : " of the DataLoader"));
        parts.add("the last epoch of each");
        if (ours.epochs().size() == 1) {
            parts.add("ours is the first, in which Java compiles the program; --epochs 4 has the speed after it");
        }
        if (theirs.images() < last.items()) {
            parts.add("the DataLoader's over " + Figures.count(theirs.images()) + " of the images");
        }
        return String.join("; ", parts) + ".";
    }
}
