package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /// Writes the index of `shards`, with what each sample costs if they are tar files: see [FieldCosts].
    ///
    /// @param tarIndexes those of all shards if they are tar files, which tell the bytes of each field; else none
    /// @return the files that were written, the index last
    public List<Path> write(List<DatasetIndex.Shard> shards, List<Path> tarIndexes) throws IOException {
        List<DatasetIndex.Cost> costs = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        if (tarIndexes.size() == shards.size()) {
            FieldCosts measured = new FieldCosts();
            for (int i = 0; i < shards.size(); i++) {
                measured.add(
                        folder.resolve(shards.get(i).name()),
                        TarIndex.read(tarIndexes.get(i)).samples());
            }
            for (FieldCosts.Cost each : measured.costs()) {
                Path file = folder.resolve(prefix + "." + each.name() + ".cost");
                write(file, each.values());
                files.add(file);
                costs.add(new DatasetIndex.Cost(each.name(), String.valueOf(file.getFileName())));
            }
        }
        FreshFile.write(file(), new DatasetIndex(shards, costs).text());
        files.add(file());
        return files;
    }

    private static void write(Path file, long[] values) throws IOException {
        Path part = FreshFile.beside(file);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, values.length));
            MemorySegment.copy(values, 0, bytes, ValueLayout.JAVA_LONG, 0, values.length);
            Npy.write(
                    part,
                    ArrayView.of(
                            ElementType.INT64,
                            Shape.of(values.length),
                            bytes.asSlice(0, (long) values.length * Long.BYTES)));
        }
        FreshFile.move(part, file);
    }
}
