package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.source.Source;

/// Files with classes as rows: the file, its name, and the number of its class as `label`.
///
/// @param files  which
/// @param format what they are written as, which has its own names for image and path
public record FileRows(FileInput files, PackFormat format) implements PackInput<Long> {
    @Override
    public Source<Long> source() {
        return files.source();
    }

    @Override
    public ShardSample read(Long index, long number) throws IOException {
        Location location = files.files().location(index);
        try (StoredObject object = files.storage().object(location)) {
            ShardSample sample = new ShardSample(location.toString(), number, "")
                    .with(format.image(), object.readAll(files.pool(), files.largest()))
                    .with(
                            "label",
                            ElementType.INT64,
                            Shape.of(),
                            label(files.files().label(index)));
            String name = location.name();
            return format.path().isEmpty()
                    ? sample
                    : sample.with(
                            format.path(),
                            MemorySegment.ofArray(
                                    name.substring(name.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static MemorySegment label(long number) {
        MemorySegment label = MemorySegment.ofArray(new byte[Long.BYTES]);
        label.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
        return label;
    }

    @Override
    public String identity() throws IOException {
        return files.identity();
    }

    @Override
    public int readsAtOnce() {
        return files.readsAtOnce();
    }
}
