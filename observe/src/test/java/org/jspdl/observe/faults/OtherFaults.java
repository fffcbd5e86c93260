package org.jspdl.observe.faults;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.observe.diagnosis.Finding;

/// What was said of a number of [OtherCase]s. Immutable.
///
/// @param cases  how many there were
/// @param found  of how many of each fault the first finding was right
/// @param missed the others, with what was said of them
record OtherFaults(int cases, Map<OtherFault, Integer> found, List<String> missed) {
    /// Judges the first `cases` that are drawn from `seed`.
    static OtherFaults of(long seed, int cases) {
        List<String> missed = new ArrayList<>();
        Map<OtherFault, Integer> found = new EnumMap<>(OtherFault.class);
        for (int i = 0; i < cases; i++) {
            OtherCase each = OtherCase.of(i, seed);
            Finding first = each.first();
            found.merge(each.fault(), each.isRight(first) ? 1 : 0, Integer::sum);
            if (!each.isRight(first)) {
                missed.add("case " + i + ", " + each + " was called " + first);
            }
        }
        return new OtherFaults(cases, found, missed);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        found.forEach((fault, number) -> text.append(
                String.format(Locale.ROOT, "%-18s %d%n", fault.name().toLowerCase(Locale.ROOT), number)));
        text.append(String.format(
                Locale.ROOT,
                "all                %d of %d (%.1f %%)%n",
                cases - missed.size(),
                cases,
                100.0 * (cases - missed.size()) / cases));
        missed.forEach(each -> text.append(each).append(System.lineSeparator()));
        return text.toString();
    }
}
