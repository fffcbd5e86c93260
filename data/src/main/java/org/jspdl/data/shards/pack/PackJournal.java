package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.data.dataset.JsonRow;
import org.jspdl.data.storage.Location;
import org.jspdl.files.FreshFile;
import org.jspdl.files.LockedFile;
import org.jspdl.json.JsonException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonWriter;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// What has been packed, line by line, in a file beside the shards: what the input and the limits were, and each shard
/// that is complete. A line that was cut off by the end of a process counts as not written.
///
/// Locked while it is open, so that no two processes pack the same shards.
final class PackJournal implements AutoCloseable {
    private static final String BEGUN = "jspdl-pack";
    private static final String BEGIN = "{\"" + BEGUN + "\":";
    /// Shards by the million.
    private static final long MOST_BYTES = 1L << 30;

    private final Path file;
    private final LockedFile locked;
    private final ReentrantLock lock = new ReentrantLock();

    /// A complete shard.
    ///
    /// @param shard    its number
    /// @param samples  how many it has
    /// @param bytes    its size
    /// @param checksum of all samples
    /// @param after    where the input goes on behind it
    /// @param crc32c   of the file, as the index of the dataset has it; empty if an earlier version packed it
    /// @param about    what the index of its format needs to know
    record Packed(long shard, long samples, long bytes, int checksum, Position after, String crc32c, String about) {}

    private PackJournal(Path file, LockedFile locked) {
        this.file = file;
        this.locked = locked;
    }

    /// Opens the journal, made if need be; the caller closes it.
    ///
    /// @throws PackException if another process has it open
    static PackJournal open(PackSettings settings) throws IOException {
        LockedFile.make(settings.journal());
        return new PackJournal(
                settings.journal(),
                LockedFile.tryLock(settings.journal())
                        .orElseThrow(() -> new PackException(
                                "another process is packing " + settings.pattern(2) + " at this moment")));
    }

    /// The shards from number 0 on that are complete, if this input was packed with these limits before.
    ///
    /// @throws PackException if something else was packed here
    List<Packed> begin(String input, ShardStore store) throws IOException {
        PackSettings settings = store.settings();
        SortedMap<Long, Packed> complete = new TreeMap<>();
        boolean begun = false;
        for (String line : lines()) {
            Map<String, String> row = row(line);
            if (row.containsKey(BEGUN)) {
                begun = true;
                check(row, "input", input);
                check(row, "limits", settings.limitsText());
                complete.tailMap(number(row, "from")).clear();
            } else {
                Packed packed = new Packed(
                        number(row, "shard"),
                        number(row, "samples"),
                        number(row, "bytes"),
                        (int) number(row, "checksum"),
                        new Position(number(row, "next"), row.getOrDefault("state", "")),
                        row.getOrDefault("crc32c", ""),
                        row.getOrDefault("about", ""));
                complete.put(packed.shard(), packed);
            }
        }
        Optional<Location> foreign = begun ? Optional.empty() : store.anyShard();
        if (foreign.isPresent()) {
            throw new PackException(foreign.get() + " exists already, and " + file
                    + " doesn't say from what it was made; give another folder or prefix, or delete it");
        }
        List<Packed> there = new ArrayList<>();
        for (Packed packed = complete.get(0L); packed != null && store.isThere(packed); ) {
            there.add(packed);
            packed = complete.get((long) there.size());
        }
        append(JsonWriter.compact()
                .beginObject()
                .put(BEGUN, 1)
                .put("from", there.size())
                .put("input", input)
                .put("limits", settings.limitsText()));
        return there;
    }

    private void check(Map<String, String> row, String what, String now) throws PackException {
        String before = row.getOrDefault(what, "");
        if (!before.equals(now)) {
            throw new PackException("the shards beside " + file + " were begun with other " + what + " (" + before
                    + ", now " + now + "); give another folder or prefix, or delete them with that file");
        }
    }

    /// Notes a complete shard, for good.
    void packed(Packed shard) throws IOException {
        append(JsonWriter.compact()
                .beginObject()
                .put("shard", shard.shard())
                .put("samples", shard.samples())
                .put("bytes", shard.bytes())
                .put("checksum", shard.checksum())
                .put("next", shard.after().index())
                .put("state", shard.after().state())
                .put("crc32c", shard.crc32c())
                .put("about", shard.about()));
    }

    private List<String> lines() throws IOException {
        FileChannel channel = locked.channel();
        if (channel.size() > MOST_BYTES) {
            throw foreign();
        }
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {
            // until all is read
        }
        String text = new String(all.array(), 0, all.position(), StandardCharsets.UTF_8);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        if (!(whole.isEmpty()
                ? BEGIN.startsWith(text.substring(0, Math.min(BEGIN.length(), text.length())))
                : text.startsWith(BEGIN))) {
            throw foreign(); // before anything of it is cut off
        }
        channel.truncate(whole.getBytes(StandardCharsets.UTF_8).length);
        return whole.lines().filter(line -> !line.isBlank()).toList();
    }

    private PackException foreign() {
        return new PackException(
                file + " is no journal of a pack, and is not written to; give another folder or prefix");
    }

    private Map<String, String> row(String line) throws PackException {
        try {
            return JsonRow.parse(JsonReader.of(line));
        } catch (JsonException malformed) {
            throw new PackException(file + " is damaged: " + malformed.getMessage() + " of '" + line
                    + "'; delete it and the shards beside it");
        }
    }

    private long number(Map<String, String> row, String name) throws PackException {
        @Nullable String value = row.get(name);
        try {
            return Long.parseLong(String.valueOf(value));
        } catch (NumberFormatException noNumber) {
            throw new PackException(file + " is damaged: it has a line with " + name + " = " + value
                    + "; delete it and the shards beside it");
        }
    }

    private void append(JsonWriter row) throws IOException {
        lock.lock();
        try {
            ByteBuffer bytes = ByteBuffer.wrap((row.endObject().document() + "\n").getBytes(StandardCharsets.UTF_8));
            FileChannel channel = locked.channel();
            long at = channel.size();
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
            channel.force(false);
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted;
        } catch (IOException failure) {
            throw FreshFile.named(file, failure);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        locked.close();
    }
}
