package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspdl.array.Npy;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.input.DecodeException;
import org.jspdl.input.FormatException;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.memory.SegmentBuffers;

/// What each sample of tar files costs, for batches that cost the same: `bytes` of the whole sample, and for each field
/// that all samples have `FIELD.bytes`, or what says more: `FIELD.pixels` of a picture (as its file has them),
/// `FIELD.elements` of an array. Fields of a few bytes, such as the number of a class, cost nothing; the bytes of a
/// field beside which there are only such ones are those of the sample.
///
/// Of pictures and arrays the headers are read, where the shard is on this disk. Used by one thread.
final class FieldCosts {
    /// What holds the header of a picture, unless much stands before it.
    private static final int HEADER = 1 << 16;
    /// A picture whose header stands behind more, and an array that is larger, are bytes.
    private static final int LARGEST = 1 << 22;
    /// Of more fields than that none is a cost, only the whole sample.
    private static final int MOST_FIELDS = 32;
    /// A field that is never larger is no cost.
    private static final int SMALL = 24;

    private final Numbers bytes = new Numbers();
    private final SortedMap<String, Field> fields = new TreeMap<>();
    private boolean first = true;

    /// A cost of all samples.
    record Cost(String name, long[] values) {}

    /// What a field holds, as far as all samples had it.
    private enum Kind {
        BYTES,
        PIXELS,
        ELEMENTS
    }

    private static final class Numbers {
        private long[] values = new long[1024];
        private int count;

        void add(long value) {
            values = count == values.length ? Arrays.copyOf(values, 2 * count) : values;
            values[count++] = value;
        }

        long[] all() {
            return Arrays.copyOf(values, count);
        }
    }

    private static final class Field {
        final Numbers bytes = new Numbers();
        final Numbers content = new Numbers();
        Kind kind;
        boolean isSmall = true;

        Field(Kind kind) {
            this.kind = kind;
        }
    }

    /// Adds the samples of the next shard.
    ///
    /// @param tar where it lies; need not be there any more
    void add(Path tar, List<List<TarIndex.Component>> samples) throws IOException {
        boolean isThere = Files.isRegularFile(tar);
        try (FileChannel shard = isThere ? FileChannel.open(tar, StandardOpenOption.READ) : null) {
            for (List<TarIndex.Component> sample : samples) {
                add(shard, sample);
            }
        }
    }

    private void add(@org.jspecify.annotations.Nullable FileChannel shard, List<TarIndex.Component> sample)
            throws IOException {
        bytes.add(sample.stream().mapToLong(TarIndex.Component::byteSize).sum());
        for (TarIndex.Component each : sample) {
            if (first && !each.suffix().isEmpty()) {
                fields.putIfAbsent(each.suffix(), new Field(kind(each.suffix())));
            }
            Field field = fields.get(each.suffix());
            if (field != null && field.bytes.count < bytes.count) {
                field.bytes.add(each.byteSize());
                field.isSmall &= each.byteSize() <= SMALL;
                field.kind = field.kind == Kind.BYTES || shard == null || !holds(shard, each, field)
                        ? Kind.BYTES
                        : field.kind;
            }
        }
        if (fields.size() > MOST_FIELDS) {
            fields.clear();
        }
        first = false;
        fields.values().removeIf(field -> field.bytes.count < bytes.count);
    }

    /// As a name says it; what is no such thing in fact is bytes after all.
    private static Kind kind(String suffix) {
        return switch (suffix.substring(suffix.lastIndexOf('.') + 1)) {
            case "jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff", "avif", "heic" -> Kind.PIXELS;
            case "npy" -> Kind.ELEMENTS;
            default -> Kind.BYTES;
        };
    }

    /// Adds what a field of one sample holds; false if it is not what its name says.
    private static boolean holds(FileChannel shard, TarIndex.Component file, Field field) throws IOException {
        try {
            field.content.add(
                    field.kind == Kind.PIXELS
                            ? pixels(shard, file)
                            : Npy.view(content(shard, file, LARGEST)).shape().elements());
            return true;
        } catch (DecodeException | FormatException | IllegalArgumentException other) {
            return false;
        }
    }

    private static long pixels(FileChannel shard, TarIndex.Component file) throws IOException {
        ImageInfo info;
        try {
            info = ImageDecoder.probe(content(shard, file, HEADER));
        } catch (DecodeException further) {
            info = ImageDecoder.probe(content(shard, file, LARGEST));
        }
        return (long) info.width() * info.height();
    }

    private static MemorySegment content(FileChannel shard, TarIndex.Component file, long most) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(Math.min(most, file.byteSize()))]);
        SegmentBuffers.readFully(shard, file.offset(), bytes);
        return bytes;
    }

    /// The costs of all samples that were added.
    List<Cost> costs() {
        List<Cost> costs = new ArrayList<>();
        costs.add(new Cost("bytes", bytes.all()));
        boolean isAlone =
                fields.values().stream().filter(field -> !field.isSmall).count() <= 1;
        fields.forEach((name, field) -> {
            if (field.kind != Kind.BYTES) {
                String what = field.kind == Kind.PIXELS ? ".pixels" : ".elements";
                costs.add(new Cost(name + what, field.content.all()));
            } else if (!field.isSmall && !isAlone) {
                costs.add(new Cost(name + ".bytes", field.bytes.all()));
            }
        });
        return costs;
    }
}
