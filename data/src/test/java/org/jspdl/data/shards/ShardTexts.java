package org.jspdl.data.shards;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// Samples as text, which can be compared, and whose memory has been released.
final class ShardTexts {
    private ShardTexts() {}

    static Source<String> of(Source<ShardSample> shard) {
        return Sources.map(shard, ShardTexts::text);
    }

    /// All of them, in order.
    static List<String> all(Source<ShardSample> shard) throws Exception {
        List<String> texts = new ArrayList<>();
        try (Cursor<String> cursor = of(shard).open(0, Position.START)) {
            while (cursor.advance()) {
                texts.add(cursor.item());
            }
        }
        return texts;
    }

    private static String text(ShardSample sample) {
        try (sample) {
            StringBuilder text = new StringBuilder(sample.index() + " " + sample.key());
            for (String name : sample.names()) {
                byte[] bytes = sample.bytes(name).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                text.append(' ').append(name).append('=').append(HexFormat.of().formatHex(bytes));
            }
            return text.toString();
        }
    }
}
