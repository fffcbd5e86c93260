package org.jspdl.data.index;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonWriter;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// What all shards of a dataset hold, in one file beside them: with it the number of samples and the size of each shard
/// are known after one request. Immutable.
///
/// The shards `train-000000.tar`, `train-000001.tar`, ... have the index `train.shards.json`:
///
/// ```json
/// {"jspdl-shards": 1, "samples": 2000,
///  "costs": [{"name": "bytes", "file": "train.bytes.npy"}],
///  "shards": [{"name": "train-000000.tar", "samples": 1000, "bytes": 104857600, "crc32c": "1b851995"}, ...]}
/// ```
///
/// `crc32c` (of the whole file, hexadecimal) and `costs` may be missing. A cost is an array of one `int64` for each
/// sample, in the order of the shards and their samples, as NumPy writes it: what a sample weighs when batches are
/// balanced. Members that are not named here are passed over.
///
/// @param shards in the order of the dataset
/// @param costs  what is known of each sample
public record DatasetIndex(List<Shard> shards, List<Cost> costs) {
    private static final String VERSION = "jspdl-shards";
    /// What the names of indexes end with.
    public static final String ENDING = ".shards.json";

    private static final long LARGEST = 1L << 28;
    private static final Pattern NUMBERED = Pattern.compile(
            "(.*?)[-_.]?\\d+(?:-of-\\d+)?(?:\\.(?:tar|parquet|tfrecord|mds|jsonl|npz|npy|tgz|zst|gz))+");

    /// One shard.
    ///
    /// @param name    of its file, beside the index
    /// @param samples how many it has
    /// @param bytes   of the file
    /// @param crc32c  of the file, as eight hexadecimal digits; empty if unknown
    public record Shard(String name, long samples, long bytes, String crc32c) {}

    /// A number for each sample.
    ///
    /// @param name what it is, such as `bytes`
    /// @param file where they are, beside the index
    public record Cost(String name, String file) {}

    /// Copies the lists.
    public DatasetIndex {
        shards = List.copyOf(shards);
        costs = List.copyOf(costs);
    }

    /// Where the index of a dataset lies, whose shards are called as `shard` is; empty if that is not numbered, or
    /// is an address with a query, which is for the shard alone.
    public static Optional<Location> locationFor(Location shard) {
        String name = shard.name();
        Matcher numbered = NUMBERED.matcher(name.substring(name.lastIndexOf('/') + 1));
        return shard.hasQuery() || !numbered.matches()
                ? Optional.empty()
                : Optional.of(shard.parent().resolve(nameFor(numbered.group(1))));
    }

    /// What the index is called of shards whose names begin with `prefix`.
    public static String nameFor(String prefix) {
        return (prefix.isEmpty() ? "dataset" : prefix) + ENDING;
    }

    /// Whether a location is called as an index is.
    public static boolean isIndex(Location location) {
        return location.endsWith(ENDING);
    }

    /// The index at `location`; empty if there is none. It may be that it may not be read, which is what stores say
    /// of an object that is not there to those who may not list, or that a web server has a page for whatever is
    /// asked for.
    ///
    /// @throws FormatException if it is damaged
    public static Optional<DatasetIndex> find(Storage storage, Location location, BufferPool pool) throws IOException {
        try {
            byte[] text = bytes(storage, location, pool);
            return text[0] == '{' ? Optional.of(parse(text)) : Optional.empty();
        } catch (FormatException damaged) {
            throw damaged.withSource(location.toString());
        } catch (StorageException absent) {
            return switch (absent.kind()) {
                case MISSING, DENIED, UNSUPPORTED, RANGE -> Optional.empty();
                case CHANGED, UNAVAILABLE -> throw absent;
            };
        }
    }

    /// The index at `location`.
    ///
    /// @throws FormatException if it is damaged
    public static DatasetIndex read(Storage storage, Location location, BufferPool pool) throws IOException {
        try {
            return parse(bytes(storage, location, pool));
        } catch (FormatException damaged) {
            throw damaged.withSource(location.toString());
        }
    }

    private static byte[] bytes(Storage storage, Location location, BufferPool pool) throws IOException {
        try (StoredObject object = storage.object(location);
                Lease lease = object.readAll(pool, LARGEST)) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// The shards by the locations that they have beside the index at `location`.
    public Map<Location, Shard> beside(Location location) {
        Map<Location, Shard> found = new HashMap<>();
        shards.forEach(shard -> found.put(location.parent().resolve(shard.name()), shard));
        return found;
    }

    /// The checksum of a shard as an index has it.
    ///
    /// @param content the bytes of the file
    public static String crc32c(ReadableByteChannel content) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        while (content.read(buffer) >= 0) {
            crc.update(buffer.flip());
            buffer.clear();
        }
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    /// Reads the text of an index.
    static DatasetIndex parse(byte[] text) {
        try {
            return parse(JsonReader.utf8(text));
        } catch (IllegalArgumentException damaged) {
            throw FormatException.because("the index of the dataset is damaged: " + damaged.getMessage()
                    + "; make it again with 'jspdl index'");
        }
    }

    private static DatasetIndex parse(JsonReader json) {
        List<Shard> shards = new ArrayList<>();
        List<Cost> costs = new ArrayList<>();
        long version = -1;
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case VERSION -> version = json.nextLong();
                case "shards" -> {
                    json.beginArray();
                    while (json.hasNext()) {
                        shards.add(shard(json));
                    }
                    json.endArray();
                }
                case "costs" -> {
                    json.beginArray();
                    while (json.hasNext()) {
                        Map<String, String> cost = texts(json);
                        costs.add(new Cost(file(cost, "name"), file(cost, "file")));
                    }
                    json.endArray();
                }
                default -> json.skipValue();
            }
        }
        json.endObject();
        json.endDocument();
        if (version != 1) {
            throw new IllegalArgumentException("'" + VERSION + "' must be 1 but was " + version);
        }
        return new DatasetIndex(shards, costs);
    }

    private static Shard shard(JsonReader json) {
        Map<String, String> row = texts(json);
        return new Shard(file(row, "name"), count(row, "samples"), count(row, "bytes"), row.getOrDefault("crc32c", ""));
    }

    private static Map<String, String> texts(JsonReader json) {
        Map<String, String> row = new HashMap<>();
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            switch (json.peek()) {
                case STRING -> row.put(name, json.nextString());
                case NUMBER -> row.put(name, json.nextRaw());
                default -> json.skipValue();
            }
        }
        json.endObject();
        return row;
    }

    /// A name that stays in the folder of the index.
    private static String file(Map<String, String> row, String member) {
        String name = row.getOrDefault(member, "");
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.equals("..") || name.equals(".")) {
            throw new IllegalArgumentException("'" + member + "' must be a name but was '" + name + "'");
        }
        return name;
    }

    private static long count(Map<String, String> row, String member) {
        String number = row.getOrDefault(member, "");
        if (!number.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("'" + member + "' must be a count but was '" + number + "'");
        }
        return Long.parseLong(number);
    }

    /// The text of the index.
    public String text() {
        JsonWriter json = JsonWriter.compact()
                .beginObject()
                .put(VERSION, 1)
                .put("samples", shards.stream().mapToLong(Shard::samples).sum())
                .put("bytes", shards.stream().mapToLong(Shard::bytes).sum())
                .beginArray("costs");
        for (Cost cost : costs) {
            json.beginObject().put("name", cost.name()).put("file", cost.file()).endObject();
        }
        json.endArray().beginArray("shards");
        for (Shard shard : shards) {
            json.newLine()
                    .beginObject()
                    .put("name", shard.name())
                    .put("samples", shard.samples())
                    .put("bytes", shard.bytes());
            if (!shard.crc32c().isEmpty()) {
                json.put("crc32c", shard.crc32c());
            }
            json.endObject();
        }
        return json.endArray().endObject().document() + "\n";
    }
}
