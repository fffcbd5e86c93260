package org.jspdl.observe.sections;

import java.util.List;
import java.util.Locale;
import org.jspdl.observe.report.Section;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Value;
import org.jspdl.stats.Change;
import org.jspdl.stats.TuningStep;

/// What was changed while a run went on, and what its tuner decided.
public final class TuningTables {
    private TuningTables() {}

    /// The table of these changes.
    public static Section changes(List<Change> changes) {
        return new Section.Table(
                "changes",
                "Tuned during the run",
                List.of(
                        Column.words("stage", "stage"),
                        Column.words("what", "what"),
                        Column.numbers("at_seconds", "after"),
                        Column.numbers("from", "from"),
                        Column.numbers("to", "to")),
                changes.stream()
                        .map(change -> List.<Value>of(
                                new Value.Words(change.stage()),
                                new Value.Words(change.what()),
                                new Value.Time(change.at()),
                                new Value.Count(change.from()),
                                new Value.Count(change.to())))
                        .toList(),
                "",
                Integer.MAX_VALUE);
    }

    /// The table of these decisions, and why each was made.
    public static Section decisions(List<TuningStep> steps) {
        return new Section.Table(
                "tuning",
                "Automatic tuning",
                List.of(
                        Column.words("decision", "decision"),
                        Column.words("stage", "stage"),
                        Column.words("what", "what"),
                        Column.numbers("at_seconds", "after"),
                        Column.numbers("from", "from"),
                        Column.numbers("to", "to"),
                        Column.json("predicted"),
                        Column.json("measured"),
                        Column.words("why", "why")),
                steps.stream().map(TuningTables::row).toList(),
                "",
                Integer.MAX_VALUE);
    }

    private static List<Value> row(TuningStep step) {
        return List.of(
                new Value.Words(step.kind().name().toLowerCase(Locale.ROOT)),
                new Value.Words(step.stage()),
                new Value.Words(step.what()),
                new Value.Time(step.at()),
                changed(step, step.from()),
                changed(step, step.to()),
                new Value.Decimal(step.predicted(), ""),
                new Value.Decimal(step.measured(), ""),
                new Value.Words(step.why()));
    }

    private static Value changed(TuningStep step, int value) {
        Value.Count count = new Value.Count(value);
        return step.stage().isEmpty() ? new Value.Shown(count, "") : count;
    }
}
