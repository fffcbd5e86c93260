package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Sampler;
import org.jspdl.source.Source;

/// Files with classes: a sample has the file, called by its ending, and the number of its class as `cls`.
///
/// @param files   which
/// @param order   in what order, and which of them
/// @param storage where they lie
/// @param pool    what they are read into
/// @param largest a file of more bytes cannot be read
public record FileInput(LabeledFiles files, Sampler order, Storage storage, BufferPool pool, long largest)
        implements PackInput<Long> {
    private static final int REMOTE_READS = 64;

    @Override
    public Source<Long> source() {
        return order;
    }

    @Override
    public ShardSample read(Long index, long number) throws IOException {
        Location location = files.location(index);
        try (StoredObject object = storage.object(location)) {
            return new ShardSample(location.toString(), number, "")
                    .with(ending(location), object.readAll(pool, largest))
                    .with(
                            "cls",
                            MemorySegment.ofArray(
                                    Integer.toString(files.label(index)).getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private static String ending(Location location) {
        String path = location.name();
        int dot = path.lastIndexOf('.');
        String ending = dot > path.lastIndexOf('/') ? path.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
        return ending.isEmpty() || ending.equals("cls") ? "bin" : ending;
    }

    @Override
    public String identity() throws IOException {
        CRC32C names = new CRC32C();
        for (long i = 0; i < files.size(); i++) {
            names.update(files.location(i).text().getBytes(StandardCharsets.UTF_8));
            names.update(("\n" + files.label(i) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        return files.size() + " files " + Long.toHexString(names.getValue()) + " "
                + FileVersions.ofThoseThere(storage, files).identity() + order.identity();
    }

    @Override
    public int readsAtOnce() {
        return files.location(0).isRemote()
                ? REMOTE_READS
                : Runtime.getRuntime().availableProcessors();
    }
}
