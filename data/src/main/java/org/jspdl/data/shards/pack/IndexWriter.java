package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.files.FreshFile;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// Writes the index of a dataset beside its shards, on a local disk: each file appears whole or not at all.
public final class IndexWriter {
    private static final String BYTES = "bytes";

    private final Path folder;
    private final String prefix;

    /// @param prefix what the names of the shards begin with
    public IndexWriter(Path folder, String prefix) {
        this.folder = folder;
        this.prefix = prefix;
    }

    /// For the index at `file`, which is called as indexes are.
    public static IndexWriter at(Path file) {
        String name = String.valueOf(file.getFileName());
        return new IndexWriter(
                file.toAbsolutePath().resolveSibling(""),
                name.substring(0, name.length() - DatasetIndex.ENDING.length()));
    }

    /// Where the index is.
    public Path file() {
        return folder.resolve(DatasetIndex.nameFor(prefix));
    }

    /// Where the bytes of each sample are.
    public Path bytesFile() {
        return folder.resolve(prefix + "." + BYTES + ".cost");
    }

    /// Writes the index of `shards`.
    ///
    /// @param tarIndexes those of all shards if they are tar files, which tell the bytes of each sample; else none
    public void write(List<DatasetIndex.Shard> shards, List<Path> tarIndexes) throws IOException {
        boolean costs = tarIndexes.size() == shards.size();
        if (costs) {
            writeBytes(shards.stream().mapToLong(DatasetIndex.Shard::samples).sum(), tarIndexes);
        }
        DatasetIndex index = new DatasetIndex(
                shards,
                costs
                        ? List.of(new DatasetIndex.Cost(
                                BYTES, String.valueOf(bytesFile().getFileName())))
                        : List.of());
        FreshFile.write(file(), index.text());
    }

    private void writeBytes(long samples, List<Path> tarIndexes) throws IOException {
        Path part = FreshFile.beside(bytesFile());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, samples));
            long at = 0;
            for (Path each : tarIndexes) {
                for (List<TarIndex.Component> sample : TarIndex.read(each).samples()) {
                    bytes.setAtIndex(
                            ValueLayout.JAVA_LONG,
                            at++,
                            sample.stream()
                                    .mapToLong(TarIndex.Component::byteSize)
                                    .sum());
                }
            }
            Npy.write(part, ArrayView.of(ElementType.INT64, Shape.of(samples), bytes.asSlice(0, samples * Long.BYTES)));
        }
        FreshFile.move(part, bytesFile());
    }
}
