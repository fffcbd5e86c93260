package org.jspdl.data.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.pack.FileInput;
import org.jspdl.data.shards.pack.PackResult;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.ShardCheck;
import org.jspdl.data.shards.pack.ShardPacker;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Packing to a store: shards of 17 MiB, which take two parts each.
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3PackTest {
    private static final int FILES = 38;
    private static final int LARGE = 1 << 20;

    private final BufferPool pool = BufferPool.unbounded("packed");
    private Path dataset;
    private S3ProxyServer server;

    @BeforeAll
    @Timeout(300)
    void start(@TempDir Path folder) throws Exception {
        server = S3ProxyServer.start(folder);
        server.makeBucket();
        dataset = folder.resolve("dataset");
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < FILES; i++) {
            byte[] content = new byte[LARGE - random.nextInt(1_000)];
            random.nextBytes(content);
            Files.write(
                    Files.createDirectories(dataset.resolve("c" + i % 2)).resolve("f%02d.jpg".formatted(i)), content);
        }
    }

    @AfterAll
    void stop() throws InterruptedException {
        server.stop();
        pool.close();
    }

    private Storage storage(String endpoint, Duration deadline) {
        S3Settings settings = new S3Settings(
                Optional.of(endpoint), "us-east-1", server.settings().credentials());
        return new Both(
                Storage.open(),
                settings.open(StorageOptions.defaults()
                        .readDeadline(deadline)
                        .retries(new StorageOptions.Retries(Duration.ofMillis(1), Duration.ofMillis(50), 1))));
    }

    private Storage storage() {
        return storage(server.endpoint(), Duration.ofMinutes(1));
    }

    private FileInput input(Storage storage) throws IOException {
        LabeledFiles files = LabeledFiles.open(storage, dataset.toString());
        return new FileInput(files, Samplers.shuffled(files.size(), 3), storage, pool, 2 * LARGE);
    }

    private static PackSettings settings(Path work, String to) {
        return PackSettings.of(work, "set").limits(1_000, 18 << 20).writers(2).sentTo(Location.of(to));
    }

    private static List<String> names(Storage storage, String folder) throws IOException {
        try (Stream<ListedObject> found = storage.list(folder)) {
            return found.map(each -> each.location().name())
                    .map(name -> name.substring(name.lastIndexOf('/') + 1))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException nothing) {
            return List.of();
        }
    }

    private static List<String> local(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shardsAndIndexesLieInTheStoreAndNothingLargeStaysHere(@TempDir Path work) throws Exception {
        try (Storage storage = storage()) {
            FileInput input = input(storage);
            PackSettings settings = settings(work, "s3://bucket/whole");

            PackResult result = ShardPacker.pack(input, settings, storage, _ -> {});
            ShardCheck.check(input, settings, storage, _ -> {});

            assertThat(result.shards()).isEqualTo(3);
            assertThat(result.pattern()).isEqualTo("s3://bucket/whole/set-{000000..000002}.tar");
            assertThat(names(storage, "s3://bucket/whole"))
                    .containsExactly(
                            "set-000000.idx",
                            "set-000000.tar",
                            "set-000001.idx",
                            "set-000001.tar",
                            "set-000002.idx",
                            "set-000002.tar",
                            "set.bytes.cost",
                            "set.shards.json");
            assertThat(local(work)).noneMatch(name -> name.endsWith(".tar") || name.endsWith(".part"));
            assertThat(DatasetIndex.read(storage, Location.of("s3://bucket/whole/set.shards.json"), pool)
                            .shards())
                    .hasSize(3);
            assertThat(read(storage, result.pattern())).isEqualTo(FILES);

            PackResult again = ShardPacker.pack(input, settings, storage, _ -> {});
            assertThat(again.found()).isEqualTo(3);
        }
    }

    private int read(Storage storage, String pattern) throws Exception {
        int count = 0;
        try (Cursor<ShardSample> cursor =
                Shards.open(storage, pattern, ShardOptions.defaults(), pool).open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    Path file = dataset.resolve("c" + sample.number("cls"));
                    List<byte[]> all = new ArrayList<>();
                    try (Stream<Path> files = Files.list(file)) {
                        for (Path each : files.toList()) {
                            all.add(Files.readAllBytes(each));
                        }
                    }
                    byte[] found = sample.bytes("jpg").toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                    assertThat(all).anyMatch(each -> java.util.Arrays.equals(each, found));
                    count++;
                }
            }
        }
        return count;
    }

    @Test
    void aPackThatTheStoreEndsGoesOnWithTheShardsThatAreMissing(@TempDir Path work) throws Exception {
        PackSettings settings = settings(work, "s3://bucket/halves");
        // the line to the store takes a shard, and half of another
        try (CuttingRelay relay = new CuttingRelay(server.port(), i -> i < 2 ? 20L << 20 : 100_000);
                Storage storage = storage(relay.endpoint(), Duration.ofSeconds(3))) {
            assertThatThrownBy(() -> ShardPacker.pack(input(storage), settings, storage, _ -> {}))
                    .isInstanceOfAny(PipelineException.class, IOException.class)
                    .hasStackTraceContaining("gave up after");
        }
        assertThat(local(work)).noneMatch(name -> name.endsWith(".tar") || name.endsWith(".part"));
        try (Storage storage = storage()) {
            assertThat(names(storage, "s3://bucket/halves")).doesNotContain("set.shards.json");

            PackResult result = ShardPacker.pack(input(storage), settings, storage, _ -> {});

            ShardCheck.check(input(storage), settings, storage, _ -> {});
            assertThat(result.samples()).isEqualTo(FILES);
            assertThat(read(storage, result.pattern())).isEqualTo(FILES);
        }
        assertThat(server.uploads()).doesNotContain("halves");
    }

    @Test
    void whatIsThereAlreadyIsNotReplacedByAnotherPack(@TempDir Path work, @TempDir Path other) throws Exception {
        try (Storage storage = storage()) {
            ShardPacker.pack(input(storage), settings(work, "s3://bucket/mine"), storage, _ -> {});

            assertThatThrownBy(() ->
                            ShardPacker.pack(input(storage), settings(other, "s3://bucket/mine"), storage, _ -> {}))
                    .hasMessageContaining("s3://bucket/mine/set-000000.tar exists already");
            assertThatThrownBy(() ->
                            ShardPacker.pack(input(storage), settings(other, "s3://no-bucket/mine"), storage, _ -> {}))
                    .hasMessageContaining("there is no such bucket");
        }
    }

    /// Local files, and the server's objects.
    private record Both(Storage files, Storage objects) implements Storage {
        private Storage of(Location location) {
            return location.isRemote() ? objects : files;
        }

        @Override
        public org.jspdl.data.storage.StoredObject object(Location location) throws IOException {
            return of(location).object(location);
        }

        @Override
        public Stream<ListedObject> list(Location location) throws IOException {
            return of(location).list(location);
        }

        @Override
        public void put(Location location, java.lang.foreign.MemorySegment content) throws IOException {
            of(location).put(location, content);
        }

        @Override
        public void requireWritable(Location folder) throws IOException {
            of(folder).requireWritable(folder);
        }

        @Override
        public org.jspdl.data.storage.StorageStats stats() {
            return objects.stats();
        }

        @Override
        public void close() {
            files.close();
            objects.close();
        }
    }
}
