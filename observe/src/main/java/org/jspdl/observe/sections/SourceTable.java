package org.jspdl.observe.sections;

import java.util.List;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Value;
import org.jspdl.stats.SourceStats;

/// How much of each source was used: for people where there are several.
public final class SourceTable {
    private SourceTable() {}

    /// The table of these sources.
    public static Section of(List<SourceStats> sources) {
        boolean shown = sources.size() > 1;
        return new Section.Table(
                "sources",
                shown ? "Sources" : "",
                List.of(
                        new Column("name", shown ? "source" : "", true, shown),
                        new Column("delivered", shown ? "samples" : "", false, shown),
                        new Column("dropped", shown ? "dropped" : "", false, shown),
                        new Column("epochs", shown ? "epochs" : "", false, shown)),
                sources.stream().map(SourceTable::row).toList(),
                shown ? "Over all runs that resumed from each other." : "",
                shown ? Integer.MAX_VALUE : 0);
    }

    private static List<Value> row(SourceStats source) {
        return List.of(
                new Value.Words(source.name()),
                source.delivered().isPresent()
                        ? new Value.Count(source.delivered().getAsLong())
                        : new Value.Unknown(),
                source.dropped().isPresent() ? new Value.Count(source.dropped().getAsLong()) : new Value.Unknown(),
                source.epochs().isPresent()
                        ? new Value.Decimal(source.epochs().getAsDouble(), "")
                        : new Value.Unknown());
    }
}
