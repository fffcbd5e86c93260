package org.jspdl.data.shards.tar;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.archive.TarEnd;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.TarStream;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.files.InputFile;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;

/// The index of a WebDataset shard, in the format of NVIDIA DALI's `wds2idx`: which files each sample has, and where.
///
/// It lies beside the shard, and ends with `.idx` instead of `.tar`. It is what makes the
/// number of samples known without reading the shard.
public final class TarIndex {
    private static final String VERSION = "v1.2";
    private static final long LARGEST = 1L << 30;
    private static final long BLOCK = 512;

    private final List<List<Component>> samples;

    /// One file of a sample.
    ///
    /// @param suffix which field it is
    /// @param offset where its content begins in the shard
    /// @param byteSize the bytes of its content
    /// @param name   its path in the archive
    public record Component(String suffix, long offset, long byteSize, String name) {}

    private TarIndex(List<List<Component>> samples) {
        this.samples = samples;
    }

    /// Reads the index beside a shard.
    ///
    /// @throws StorageException if there is none; an address with a query has none, because that is for the shard
    ///     alone
    /// @throws FormatException if it is truncated or damaged
    public static TarIndex read(ShardFile shard) throws IOException {
        if (shard.location().hasQuery()) {
            throw new StorageException(StorageException.Kind.MISSING, shard.location(), "has no index beside it");
        }
        Location location = locationFor(shard.location());
        try (StoredObject object = shard.storage().object(location);
                Lease lease = object.readAll(shard.pool(), LARGEST)) {
            return parse(new String(lease.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
        } catch (FormatException broken) {
            throw broken.withSource(location.toString());
        }
    }

    /// Reads an index on a local disk.
    ///
    /// @throws FormatException if it is truncated or damaged
    public static TarIndex read(Path file) throws IOException {
        try {
            return parse(InputFile.text(file, (int) LARGEST));
        } catch (FormatException broken) {
            throw broken.withSource(file.toString());
        }
    }

    /// The index of a shard, made by reading the headers of its files.
    ///
    /// @throws FormatException if the shard is damaged, or names files in a way that an index cannot
    public static TarIndex of(ShardFile shard) throws IOException {
        List<List<Component>> samples = new ArrayList<>();
        String key = null;
        SeenKeys seen = new SeenKeys();
        try (TarStream stream = TarStream.over(shard.open(0), 0, TarEnd.REQUIRED)) {
            while (stream.advance()) {
                TarEntry entry = stream.entry();
                TarName name = TarFormat.name(entry);
                if (name == null) {
                    continue;
                }
                if (!entry.isFile()) {
                    throw FormatException.because("the index cannot be made: " + TarFormat.objection(entry));
                }
                if (entry.name().chars().anyMatch(Character::isWhitespace)) {
                    throw FormatException.because("the index separates names by spaces, so it cannot hold '"
                            + entry.name() + "'; 'jspdl pack --number' gives samples other names");
                }
                if (!name.key().equals(key)) {
                    key = name.key();
                    if (!seen.add(key)) {
                        throw FormatException.because("the index cannot be made: " + TarFormat.again(key));
                    }
                    samples.add(new ArrayList<>());
                }
                samples.getLast().add(new Component(name.suffix(), entry.dataOffset(), entry.byteSize(), entry.name()));
            }
        } catch (FormatException damaged) {
            throw damaged.withSource(shard.shown());
        }
        return new TarIndex(samples);
    }

    /// Where the index of a shard lies.
    public static Location locationFor(Location shard) {
        return shard.withEnding(".tar", ".idx");
    }

    /// Reads the text of an index.
    static TarIndex parse(String text) {
        List<String> lines = text.lines().toList();
        String[] head = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ");
        if (head.length < 2 || !head[0].matches("v1\\.[12]") || !head[1].matches("\\d{1,9}")) {
            throw FormatException.because("the index does not begin with '" + VERSION + "' and the number of samples");
        }
        int count = Integer.parseInt(head[1]);
        if (lines.size() - 1 != count || !text.endsWith("\n")) {
            throw FormatException.because(String.format(
                    "the index is truncated or damaged: it has %,d samples of %,d; make it again",
                    lines.size() - 1, count));
        }
        List<List<Component>> samples = new ArrayList<>(count);
        for (String line : lines.subList(1, lines.size())) {
            samples.add(components(line, samples.size(), head[0].equals(VERSION) ? 4 : 3));
        }
        return new TarIndex(samples);
    }

    private static List<Component> components(String line, int number, int words) {
        String[] parts = line.split(" ");
        if (parts.length % words != 0) {
            throw FormatException.because(
                    "sample " + number + " of the index does not have " + words + " words for each file");
        }
        List<Component> components = new ArrayList<>();
        for (int i = 0; i < parts.length; i += words) {
            try {
                components.add(new Component(
                        parts[i],
                        Long.parseUnsignedLong(parts[i + 1]),
                        Long.parseUnsignedLong(parts[i + 2]),
                        words == 4 ? parts[i + 3] : ""));
            } catch (NumberFormatException noNumber) {
                throw FormatException.because("sample " + number + " of the index has no numbers where they belong");
            }
        }
        return components;
    }

    /// The files of every sample, in order.
    public List<List<Component>> samples() {
        return java.util.Collections.unmodifiableList(samples);
    }

    /// The text of an index.
    public static String write(List<List<Component>> samples) {
        StringBuilder text = new StringBuilder(VERSION + " " + samples.size() + "\n");
        for (List<Component> sample : samples) {
            String separator = "";
            for (Component file : sample) {
                text.append(separator)
                        .append(file.suffix())
                        .append(' ')
                        .append(file.offset())
                        .append(' ')
                        .append(file.byteSize())
                        .append(' ')
                        .append(file.name());
                separator = " ";
            }
            text.append('\n');
        }
        return text.toString();
    }

    /// Where each sample ends in the shard, with the padding of its last file.
    long[] ends() {
        long[] ends = new long[samples.size()];
        SeenKeys seen = new SeenKeys();
        for (int i = 0; i < ends.length; i++) {
            String name =
                    samples.get(i).isEmpty() ? "" : samples.get(i).getFirst().name(); // old indexes have none
            TarName called = TarName.of(name);
            if (called != null && !seen.add(called.key())) {
                throw FormatException.because("sample " + i + " of the index: " + TarFormat.again(called.key()));
            }
            for (Component file : samples.get(i)) {
                ends[i] = Math.max(ends[i], Math.ceilDiv(Math.addExact(file.offset(), file.byteSize()), BLOCK) * BLOCK);
            }
            if (i > 0 && ends[i] < ends[i - 1]) {
                throw FormatException.because(
                        "sample " + i + " of the index lies before the one before it; make the index again");
            }
        }
        return ends;
    }
}
