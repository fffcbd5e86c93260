package org.jspdl.data.shards.arrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.SequencedMap;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardFormat;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.ShardSource;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.source.Source;

/// Arrow's IPC format, as files with a footer (`.arrow`, Feather) and as streams, which Hugging Face's library writes:
/// each row is a sample, whose fields are those of Parquet's rows. Batches may be compressed, by LZ4 or Zstandard.
///
/// The wanted columns of a batch are in memory while its rows are read.
public final class ArrowFormat implements ShardFormat {
    /// Found by [java.util.ServiceLoader].
    public ArrowFormat() {}

    @Override
    public String name() {
        return "Arrow";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".arrow", ".arrows", ".feather", ".ipc");
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return new ShardSource(
                file, Source.Resume.SEEK, (shard, from) -> ArrowCursor.open(shard, from.index()), ArrowFormat::size);
    }

    /// Counted in the metadata of the batches, each a read of its own; over a network that takes too long.
    private static OptionalLong size(ShardFile file) {
        if (file.location().isRemote()) {
            return OptionalLong.empty();
        }
        try (StoredObject object = file.storage().object(file.location())) {
            return OptionalLong.of(counted(ArrowFile.open(file, object)).rows);
        } catch (FormatException damaged) {
            return OptionalLong.empty(); // opening it says why, or skips it
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private record Counted(long rows, long batches, long bytes) {}

    private static Counted counted(ArrowFile arrow) throws IOException {
        ArrowFile.Messages messages = arrow.new Messages();
        long rows = 0;
        long batches = 0;
        long bytes = 0;
        try {
            for (ArrowMessage each = messages.next(); each != null; each = messages.next()) {
                bytes += each.bodyLength();
                if (each.kind() == ArrowMessage.Kind.BATCH) {
                    batches++;
                    rows = Math.addExact(rows, each.rows());
                }
            }
        } catch (IndexOutOfBoundsException | ArithmeticException damaged) {
            throw FormatException.because("Arrow: the metadata is damaged: " + damaged.getMessage());
        }
        return new Counted(rows, batches, bytes);
    }

    @Override
    public ShardSchema schema(ShardFile file) throws IOException {
        try (StoredObject object = file.storage().object(file.location())) {
            return ArrowFile.open(file, object).schema();
        }
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        try (StoredObject object = file.storage().object(file.location())) {
            ArrowFile arrow = ArrowFile.open(file, object);
            Counted counted = counted(arrow);
            List<ShardSummary.FieldSummary> fields = new ArrayList<>();
            for (ArrowLeaf leaf : ArrowLeaf.of(arrow.fields())) {
                fields.add(new ShardSummary.FieldSummary(leaf.name(), leaf.kind(), counted.rows, -1));
            }
            SequencedMap<String, String> traits = new LinkedHashMap<>();
            arrow.schema().describe(traits);
            traits.put("kind", arrow.messages() == null ? "stream" : "file");
            traits.put("batches", Long.toString(counted.batches));
            return new ShardSummary(name(), counted.rows, counted.bytes, fields, traits);
        }
    }
}
