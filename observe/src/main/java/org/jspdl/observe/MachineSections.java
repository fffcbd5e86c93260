package org.jspdl.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspdl.observe.machine.Energy;
import org.jspdl.observe.machine.MachineUsage;
import org.jspdl.observe.machine.ProcessGroup;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Figure;
import org.jspdl.observe.report.Value;
import org.jspdl.observe.text.Figures;

/// What a report says about the machine: energy, and the processes of the run. `docs/reference/report.md` explains the
/// keys.
final class MachineSections {
    private MachineSections() {}

    static List<Section> of(Report report) {
        MachineUsage used = report.total().machine();
        List<Section> sections = new ArrayList<>();
        sections.add(new Section.Figures("energy", "", energy(report, used.energy())));
        if (!used.energy().isKnown()) {
            sections.add(Section.details(
                    "Energy",
                    List.of(Figure.json(
                            "not known", new Value.Words(used.energy().unknown())))));
        }
        sections.add(new Section.Figures("process_group", "", group(report, used.group())));
        return sections;
    }

    private static List<Figure> energy(Report report, Energy energy) {
        if (!energy.isKnown()) {
            return List.of(
                    Figure.json("joules", new Value.Unknown()),
                    Figure.json("unknown", new Value.Words(energy.unknown())));
        }
        double items = report.stats().delivered()
                * (report.items().name().isEmpty() ? 1 : report.items().perBatch());
        String name =
                report.items().name().isEmpty() ? "batches" : report.items().name();
        double each = items <= 0 ? 0 : 1_000 * energy.joules() / items;
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.json("joules", new Value.Decimal(energy.joules(), "")));
        figures.add(new Figure(
                "joules_per_1000_items",
                "energy per 1,000 " + name,
                new Value.Shown(new Value.Decimal(each, ""), String.format(Locale.ROOT, "%.1f J", each)),
                "all processes of the machine: "
                        + String.join(", ", energy.microjoules().keySet())));
        energy.microjoules()
                .forEach((domain, microjoules) -> figures.add(Figure.json(
                        domain.replaceAll("[^a-z0-9]+", "_") + "_joules", new Value.Decimal(microjoules / 1e6, ""))));
        return figures;
    }

    private static List<Figure> group(Report report, ProcessGroup group) {
        double seconds = Math.max(1e-9, report.total().usage().at() / 1e9);
        String alone = group.processes() < 2 || group.peakPssBytes() < 0
                ? ""
                : Figures.bytes(group.peakPssBytes()) + " at most, " + Figures.bytes(Math.max(0, group.pssBytes()))
                        + " at the end";
        String network = group.receivedBytes() + group.sentBytes() <= 0
                ? ""
                : perSecond(group.receivedBytes(), seconds) + "/s received, " + perSecond(group.sentBytes(), seconds)
                        + "/s sent";
        return List.of(
                Figure.json("processes", new Value.Count(group.processes())),
                Figure.json("pss_bytes", new Value.Bytes(group.pssBytes())),
                new Figure(
                        "peak_pss_bytes",
                        "memory of " + group.processes() + " processes",
                        new Value.Shown(new Value.Bytes(group.peakPssBytes()), alone),
                        "shared pages counted once"),
                Figure.json("disk_read_bytes", new Value.Bytes(group.diskReadBytes())),
                Figure.json("disk_written_bytes", new Value.Bytes(group.diskWrittenBytes())),
                new Figure(
                        "received_bytes",
                        "network",
                        new Value.Shown(new Value.Bytes(group.receivedBytes()), network),
                        "all processes of the machine or container"),
                Figure.json("sent_bytes", new Value.Bytes(group.sentBytes())));
    }

    private static String perSecond(long bytes, double seconds) {
        return Figures.bytes((long) (Math.max(0, bytes) / seconds));
    }
}
