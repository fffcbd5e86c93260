package org.jspdl.pipeline.internal.run;

import java.util.OptionalLong;
import org.jspdl.pipeline.internal.checkpoint.SourceCounts;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.source.Source;
import org.jspdl.stats.SourceStats;

/// A source that a run reads, for statistics.
///
/// @param index its number in the ledger
record SourceReading(String name, int index, OptionalLong perEpoch, double passes) {
    static SourceReading of(String name, int index, Source<?> source) {
        return new SourceReading(name, index, source.size(), source.passes());
    }

    /// How much of it was used so far.
    SourceStats stats(Ledger ledger) {
        SourceCounts counts = ledger.counts(index);
        return counts.isKnown()
                ? new SourceStats(
                        name, OptionalLong.of(counts.delivered()), OptionalLong.of(counts.dropped()), perEpoch, passes)
                : new SourceStats(name, OptionalLong.empty(), OptionalLong.empty(), perEpoch, passes);
    }
}
