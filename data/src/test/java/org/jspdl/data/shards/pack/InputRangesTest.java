package org.jspdl.data.shards.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shards of ranges of the input, whether one process packs all or each is written by itself.
class InputRangesTest {
    private static final int FILES = 40;
    private static final int RANGE = 8;
    /// Files that are gone: some of a range, and a whole one.
    private static final Set<Integer> GONE = Set.of(3, 4, 17, 24, 25, 26, 27, 28, 29, 30, 31, 39);

    @TempDir
    Path folder;

    private Path list;

    @BeforeEach
    void makeFiles() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < FILES; i++) {
            if (!GONE.contains(i)) {
                Files.write(folder.resolve("f" + i), new byte[100 * i + 1]);
            }
            lines.append("f").append(i).append(" ").append(i % 3).append("\n");
        }
        list = Files.writeString(folder.resolve("list.txt"), lines);
    }

    private FileInput input(Storage storage, BufferPool pool) throws IOException {
        LabeledFiles files = LabeledFiles.open(storage, Location.of(list));
        return new FileInput(files, Samplers.sequential(FILES), storage, pool, 1 << 20);
    }

    private PackSettings settings(String name) {
        // shards are not cut by size, however small that may be
        return PackSettings.of(folder.resolve(name), "set")
                .limits(RANGE, 1000)
                .range(PackSettings.Range.INPUT)
                .failures(FailurePolicy.skip(FILES));
    }

    @Test
    void anInputWhoseLabelsAreOthersIsAnother() throws Exception {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files")) {
            String before = input(storage, pool).identity();
            assertThat(input(storage, pool).identity()).isEqualTo(before);
            for (int more : new int[] {1, 256, 1 << 16}) {
                String lines = Files.readString(list).replace(" 2\n", " " + (2 + more) + "\n");
                Path other = Files.writeString(folder.resolve("other.txt"), lines);
                LabeledFiles files = LabeledFiles.open(storage, Location.of(other));

                assertThat(new FileInput(files, Samplers.sequential(FILES), storage, pool, 1 << 20).identity())
                        .isNotEqualTo(before);
            }
        }
    }

    @Test
    void aShardHasWhatCameOfItsRangeWhateverWasLeftOut() throws Exception {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files")) {
            PackResult result = ShardPacker.pack(input(storage, pool), settings("packed"), storage, _ -> {});

            assertThat(result.samples()).isEqualTo(FILES - GONE.size());
            assertThat(DatasetIndex.read(storage, Location.of(folder.resolve("packed/set.shards.json")), pool)
                            .shards())
                    .extracting(DatasetIndex.Shard::samples)
                    .containsExactly(6L, 8L, 7L, 7L); // the fourth range is gone, and has no shard
        }
    }

    @Test
    void shardsThatAreWrittenEachByItselfAreTheSame() throws Exception {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files")) {
            FileInput input = input(storage, pool);
            ShardPacker.pack(input, settings("packed"), storage, _ -> {});
            List<WrittenShard> shards = new ArrayList<>();
            Path whole = Files.createDirectory(folder.resolve("whole"));
            for (int range = FILES / RANGE - 1; range >= 0; range--) {
                Path own = folder.resolve("range-" + range);
                try (ShardWriter writer = new ShardWriter(settings("range-" + range))) {
                    for (int i = range * RANGE; i < (range + 1) * RANGE; i++) {
                        try (ShardSample sample = input.read((long) i, i)) {
                            writer.add(sample, i);
                        } catch (StorageException gone) {
                            assertThat(GONE).contains(i);
                        }
                    }
                    writer.finish().ifPresent(shards::addFirst);
                }
                assertThat(own).isDirectory();
            }
            int number = 0;
            for (int range = 0; range < FILES / RANGE; range++) {
                Path own = folder.resolve("range-" + range);
                if (Files.exists(own.resolve("set-000000.tar"))) {
                    for (int file = 0; file < 2; file++) {
                        Files.move(
                                own.resolve(settings("whole").files(0).get(file)),
                                whole.resolve(settings("whole").files(number).get(file)));
                    }
                    shards.set(number, shards.get(number).as(number));
                    number++;
                }
            }
            List<Path> indexes = WrittenShard.index(settings("whole"), shards);

            assertThat(indexes)
                    .extracting(Path::getFileName)
                    .extracting(Path::toString)
                    .containsExactly("set.bytes.cost", "set.shards.json");
            for (String name : List.of(
                    "set-000000.tar", "set-000003.tar", "set-000003.idx", "set.shards.json", "set.bytes.cost")) {
                assertThat(whole.resolve(name))
                        .hasSameBinaryContentAs(folder.resolve("packed").resolve(name));
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void aShardThatIsGivenUpLeavesNothing() throws Exception {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files");
                ShardWriter writer = new ShardWriter(settings("own"));
                ShardSample sample = input(storage, pool).read(1L, 1)) {
            writer.add(sample, 1);
        }

        assertThat(folder.resolve("own")).isEmptyDirectory();
    }

    @Test
    void aWriterDoesNotBringBackAFolderThatWasRemoved() throws Exception {
        Path job = Files.createDirectory(folder.resolve("job"));
        Path own = Files.createDirectory(job.resolve("attempt"));
        Files.delete(own);
        Files.delete(job);

        assertThatThrownBy(() -> new ShardWriter(settings("job/attempt"))).isInstanceOf(NoSuchFileException.class);

        assertThat(job).doesNotExist();
    }

    @Test
    void aWriterWhoseFolderIsRemovedMeanwhileFailsAndDoesNotBringItBack() throws Exception {
        Path job = Files.createDirectory(folder.resolve("job"));
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files");
                ShardWriter writer = new ShardWriter(settings("job/attempt"));
                ShardSample sample = input(storage, pool).read(1L, 1)) {
            Files.delete(job.resolve("attempt"));
            Files.delete(job);

            assertThatThrownBy(() -> writer.add(sample, 1)).isInstanceOf(IOException.class);
        }

        assertThat(job).doesNotExist();
    }

    @Test
    void packingCannotGoOnWithShardsOfAnotherKind() throws Exception {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files")) {
            ShardPacker.pack(input(storage, pool), settings("packed"), storage, _ -> {});

            assertThatThrownBy(() -> ShardPacker.pack(
                            input(storage, pool),
                            settings("packed").range(PackSettings.Range.OUTPUT),
                            storage,
                            _ -> {}))
                    .isInstanceOf(PackException.class);
        }
    }
}
