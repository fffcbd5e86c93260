package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Samplers;

/// A process that packs a folder of files, shuffled by seed 5, seven to a shard.
///
/// Arguments: dataset, folder of shards. Prints `begun` with the first sample, and the number of shards it found.
final class PackUser {
    private PackUser() {}

    public static void main(String[] arguments) throws IOException {
        PackResult result = pack(Path.of(arguments[0]), Path.of(arguments[1]), done -> {
            if (done % 10 == 0) {
                IO.println("at " + done);
            }
        });
        IO.println("found " + result.found());
    }

    static PackResult pack(Path dataset, Path folder, java.util.function.LongConsumer progress) throws IOException {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("files", 1 << 28)) {
            return ShardPacker.pack(input(dataset, storage, pool), settings(folder), storage, progress);
        }
    }

    static FileInput input(Path dataset, Storage storage, BufferPool pool) throws IOException {
        LabeledFiles files = LabeledFiles.open(storage, dataset.toString());
        return new FileInput(files, Samplers.shuffled(files.size(), 5), storage, pool, 1 << 20);
    }

    static PackSettings settings(Path folder) {
        return PackSettings.of(folder, "set").limits(7, 1 << 20);
    }

    static Process start(Path dataset, Path folder) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PackUser.class.getName(),
                        dataset.toString(),
                        folder.toString()))
                .redirectErrorStream(true)
                .start();
    }
}
