package org.jspdl.data.shards;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.data.dataset.JsonRow;
import org.jspdl.data.shards.text.LineReader;
import org.jspdl.data.storage.Location;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonReader;
import org.jspdl.memory.Lease;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// JSON lines, plain, gzipped or compressed with Zstandard: each line an object, whose members are the fields.
///
/// Texts are unescaped, all other values as they are written, null is no field. Blank lines are passed. A plain file is
/// resumed at its byte; a compressed one is decompressed again.
final class JsonLinesFormat implements ShardFormat {
    @Override
    public String name() {
        return "JSON lines";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst");
    }

    private static boolean isCompressed(ShardFile file) {
        return file.location().endsWith(".gz", ".zst");
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        Source.Resume resume = isCompressed(file) ? Source.Resume.REPLAY : Source.Resume.SEEK;
        return new ShardSource(file, resume, JsonLinesFormat::cursor, _ -> OptionalLong.empty());
    }

    private static ShardCursor cursor(ShardFile file, Position from) throws IOException {
        long offset = from.state().isEmpty() ? 0 : Long.parseLong(from.state());
        Lines lines = new Lines(file, from.index(), reader(file, offset));
        try {
            if (from.state().isEmpty()) {
                lines.skipLines(from.index());
            }
            return lines;
        } catch (Throwable failure) {
            lines.close();
            throw failure;
        }
    }

    private static LineReader reader(ShardFile file, long offset) throws IOException {
        long longest = file.options().largestSample();
        return isCompressed(file)
                ? new LineReader(file.decompressed(), 0, longest)
                : new LineReader(Channels.newInputStream(file.open(offset)), offset, longest);
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        ShardCounts tally = new ShardCounts();
        try (Lines lines = new Lines(file, 0, reader(file, 0))) {
            for (byte[] line = lines.line(); line != null; line = lines.line()) {
                Map<String, String> kinds = JsonRow.kinds(JsonReader.utf8(line).withNonFinite());
                JsonRow.parse(JsonReader.utf8(line).withNonFinite())
                        .forEach((name, value) -> tally.field(
                                name, kinds.getOrDefault(name, ""), value.getBytes(StandardCharsets.UTF_8).length));
                tally.sample();
            }
        } catch (IllegalArgumentException noObject) {
            throw FormatException.because("line " + (tally.samples() + 1) + ": " + noObject.getMessage())
                    .withSource(file.shown());
        }
        return tally.summary(name(), new LinkedHashMap<>());
    }

    private static final class Lines extends ShardCursor {
        private final LineReader reader;
        private long lineBegan;

        Lines(ShardFile file, long index, LineReader reader) {
            super(file, index);
            this.reader = reader;
        }

        void skipLines(long count) throws IOException {
            for (long passed = 0; passed < count; passed++) {
                if (line() == null) {
                    return;
                }
            }
        }

        private byte @Nullable [] line() throws IOException {
            lineBegan = reader.offset();
            byte[] line = reader.next();
            while (line != null && isBlank(line)) {
                lineBegan = reader.offset();
                line = reader.next();
            }
            return line;
        }

        private static boolean isBlank(byte[] line) {
            for (byte each : line) {
                if (each != ' ' && each != '\t' && each != '\r') {
                    return false;
                }
            }
            return true;
        }

        @Override
        protected Optional<ShardSample> read(long number) throws IOException {
            byte[] line = line();
            if (line == null) {
                return Optional.empty();
            }
            Map<String, byte[]> values = new LinkedHashMap<>();
            long total = 0;
            try {
                for (Map.Entry<String, String> value :
                        JsonRow.parse(JsonReader.utf8(line).withNonFinite()).entrySet()) {
                    if (file().options().wants(value.getKey())) {
                        byte[] bytes = value.getValue().getBytes(StandardCharsets.UTF_8);
                        values.put(value.getKey(), bytes);
                        total += bytes.length;
                    }
                }
            } catch (IllegalArgumentException noObject) {
                return Optional.of(broken(number, String.valueOf(noObject.getMessage())));
            }
            Lease lease = lease(total);
            ShardSample sample = sample(number).owning(lease);
            if (!isCompressed(file())) {
                sample.lying(lineBegan, reader.offset());
            }
            long at = 0;
            for (Map.Entry<String, byte[]> value : values.entrySet()) {
                MemorySegment part = lease.segment().asSlice(at, value.getValue().length);
                sample.with(value.getKey(), part.copyFrom(MemorySegment.ofArray(value.getValue())));
                at += value.getValue().length;
            }
            return Optional.of(sample);
        }

        @Override
        protected String state() {
            return isCompressed(file()) ? "" : Long.toString(reader.offset());
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }
}
