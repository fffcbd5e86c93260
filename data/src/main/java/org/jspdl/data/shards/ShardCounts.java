package org.jspdl.data.shards;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// Counts what the samples of a shard consist of.
public final class ShardCounts {
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private long samples;

    /// Has counted nothing.
    public ShardCounts() {}

    private static final class Field {
        final SequencedSet<String> kinds = new LinkedHashSet<>();
        long samples;
        long bytes;
    }

    /// Counts a sample, whose fields come next.
    public void sample() {
        samples++;
    }

    /// Counts a field of it.
    ///
    /// @param kind what it holds; empty if the format does not say
    public void field(String name, String kind, long bytes) {
        Field field = fields.computeIfAbsent(name, _ -> new Field());
        field.samples++;
        field.bytes += bytes;
        if (!kind.isEmpty()) {
            field.kinds.add(kind);
        }
    }

    /// How many samples were counted.
    public long samples() {
        return samples;
    }

    /// What was counted, of a shard of `format`.
    public ShardSummary summary(String format, SequencedMap<String, String> traits) {
        List<ShardSummary.FieldSummary> summaries = fields.entrySet().stream()
                .map(field -> new ShardSummary.FieldSummary(
                        field.getKey(),
                        String.join(" or ", field.getValue().kinds),
                        field.getValue().samples,
                        field.getValue().bytes))
                .toList();
        long bytes = fields.values().stream().mapToLong(field -> field.bytes).sum();
        return new ShardSummary(format, samples, bytes, summaries, traits);
    }
}
