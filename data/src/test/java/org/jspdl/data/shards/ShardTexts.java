package org.jspdl.data.shards;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// Samples as text, which can be compared, and whose memory has been given back.
public record ShardTexts(Source<ShardSample> shard) implements Source<String> {

    static String text(ShardSample sample) {
        try (sample) {
            StringBuilder text = new StringBuilder(sample.index() + " " + sample.key());
            for (String name : sample.names()) {
                byte[] bytes = sample.bytes(name).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                text.append(' ').append(name).append('=').append(HexFormat.of().formatHex(bytes));
            }
            return text.toString();
        }
    }

    /// All of them, in order.
    public List<String> all() throws Exception {
        List<String> texts = new ArrayList<>();
        try (Cursor<String> cursor = open(0, Position.START)) {
            while (cursor.advance()) {
                texts.add(cursor.item());
            }
        }
        return texts;
    }

    @Override
    public Cursor<String> open(long epoch, Position from) throws Exception {
        Cursor<ShardSample> cursor = shard.open(epoch, from);
        return new Cursor<>() {
            private String text = "";

            @Override
            public boolean advance() throws Exception {
                boolean more = cursor.advance();
                text = more ? text(cursor.item()) : "";
                return more;
            }

            @Override
            public String item() {
                return text;
            }

            @Override
            public Position position() {
                return cursor.position();
            }

            @Override
            public void close() throws java.io.IOException {
                cursor.close();
            }
        };
    }

    @Override
    public OptionalLong size() {
        return shard.size();
    }

    @Override
    public Resume resume() {
        return shard.resume();
    }
}
