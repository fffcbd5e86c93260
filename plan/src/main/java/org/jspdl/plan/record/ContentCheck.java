package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/// Compares a batch that was built again with what the record has of it.
///
/// @param run     the record
/// @param sum     of the batch that the run had
/// @param origins what the samples of the new batch were made from
/// @param failing what fails now and was not skipped then
record ContentCheck(RecordedRun run, ContentSum sum, List<SampleOrigin> origins, List<String> failing) {
    private static final int MOST_NAMED = 5;

    /// Makes sure that `batch` is the same.
    ///
    /// @throws IllegalArgumentException if not: the message says which sample is another, as far as eight bytes
    ///     tell it, and which of its files were changed since the run
    void require(Object batch) {
        ContentSum now = ContentSum.of(batch);
        if (now.equals(sum)) {
            return;
        }
        int rows = ContentSum.rows(batch);
        OptionalInt row = sum.changedRow(now, rows);
        StringBuilder message = new StringBuilder(String.format(
                Locale.ROOT,
                "step %d of rank %d is not what the run had: ",
                run.step(),
                run.description().rank()));
        List<SampleOrigin> suspects = origins;
        if (row.isEmpty()) {
            message.append("several of its samples are others");
        } else if (row.getAsInt() == rows) {
            message.append("it has other fields, or of another type or shape");
        } else {
            message.append("sample ").append(row.getAsInt()).append(" of ").append(rows);
            if (origins.size() == rows) {
                suspects = List.of(origins.get(row.getAsInt()));
                message.append(" (").append(suspects.getFirst().name()).append(')');
            }
            message.append(" is another");
        }
        Instant began = run.description().began().truncatedTo(ChronoUnit.SECONDS);
        List<String> changed = new ArrayList<>(failing);
        changed.addAll(changed(suspects));
        throw new IllegalArgumentException(message.append(". ")
                .append(
                        changed.isEmpty()
                                ? "No file of it has a time after " + began
                                        + ", when the run began: one was replaced and has an older time, or lies in a"
                                        + " store that was not asked, or the plan depends on what the record does not"
                                        + " have"
                                : String.join("; ", changed) + "; the run began on " + began)
                .toString());
    }

    private List<String> changed(List<SampleOrigin> suspects) {
        List<String> changed = new ArrayList<>();
        for (String name : suspects.stream().map(SampleOrigin::file).distinct().toList()) {
            try {
                Path file = Path.of(name);
                Instant at = Files.getLastModifiedTime(file).toInstant();
                if (at.isAfter(run.description().began())) {
                    changed.add(String.format(
                            Locale.ROOT,
                            "%s was changed on %s and has %,d bytes now",
                            name,
                            at.truncatedTo(ChronoUnit.SECONDS),
                            Files.size(file)));
                }
            } catch (IOException | InvalidPathException notHere) {
                continue;
            }
            if (changed.size() == MOST_NAMED) {
                break;
            }
        }
        return changed;
    }
}
