package org.jspdl.data.shards.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Samplers;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackMdsTest {
    private static final int FILES = 23;

    /// Reads shards as the published layout says, begun with `index.json`.
    private static final String READER = """
            import json, struct, sys, os
            folder = sys.argv[1]
            index = json.load(open(os.path.join(folder, 'index.json')))
            assert index['version'] == 2
            for shard in index['shards']:
                assert shard['format'] == 'mds' and shard['version'] == 2
                data = open(os.path.join(folder, shard['raw_data']['basename']), 'rb').read()
                assert len(data) == shard['raw_data']['bytes']
                n, = struct.unpack('<I', data[:4])
                assert n == shard['samples']
                offsets = struct.unpack('<%dI' % (n + 1), data[4:8 + 4 * n])
                config = json.loads(data[8 + 4 * n:offsets[0]])
                for name in ('column_names', 'column_encodings', 'column_sizes'):
                    assert config[name] == shard[name]
                assert offsets[n] == len(data)
                for i in range(n):
                    sample, at, sizes = data[offsets[i]:offsets[i + 1]], 0, []
                    for size in config['column_sizes']:
                        if size is None:
                            size, = struct.unpack('<I', sample[at:at + 4])
                            at += 4
                        sizes.append(size)
                    for name, encoding, size in zip(config['column_names'], config['column_encodings'], sizes):
                        print(name, encoding, sample[at:at + size].hex())
                        at += size
                    assert at == len(sample)
            """;

    @TempDir
    Path folder;

    private Storage storage;
    private BufferPool pool;

    @BeforeEach
    void open() {
        storage = Storage.open();
        pool = BufferPool.unbounded("rows");
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private static PackFormat mds() {
        return PackFormat.named("mds").orElseThrow();
    }

    private FileRows files() throws IOException {
        LabeledFiles files = LabeledFiles.open(storage, folder.resolve("files").toString());
        return new FileRows(new FileInput(files, Samplers.sequential(files.size()), storage, pool, 1 << 20), mds());
    }

    private PackSettings settings(String name) {
        return PackSettings.of(folder.resolve(name), "set").limits(7, 1 << 20).format(mds(), List.of("c0", "c1"));
    }

    @Test
    void anotherReaderFindsEverySampleByTheIndex() throws Exception {
        SplittableRandom random = new SplittableRandom(4);
        List<String> expected = new ArrayList<>();
        for (int label = 0; label < 2; label++) {
            for (int i = 0; i < FILES; i++) {
                byte[] content = new byte[4 + random.nextInt(400)];
                random.nextBytes(content);
                content[0] = (byte) 0xFF; // as a JPEG file begins
                content[1] = (byte) 0xD8;
                content[2] = (byte) 0xFF;
                Files.write(
                        Files.createDirectories(folder.resolve("files/c" + label))
                                .resolve("f%02d.jpg".formatted(i)),
                        content);
                expected.add("image jpeg " + HexFormat.of().formatHex(content));
                expected.add("label int64 0" + label + "00000000000000");
            }
        }
        PackResult result = ShardPacker.pack(files(), settings("mds"), storage, _ -> {});
        ShardCheck.check(files(), settings("mds"), storage, _ -> {});

        assertThat(result.shards()).isEqualTo(7);
        assertThat(result.pattern()).endsWith("set-{000000..000006}.mds");
        assertThat(Programs.python(folder, READER, folder.resolve("mds").toString())
                        .lines()
                        .toList())
                .isEqualTo(expected);
        assertThat(Shards.open(storage, result.pattern(), ShardOptions.defaults(), pool)
                        .size())
                .hasValue(2L * FILES);
        assertThat(ShardPacker.pack(files(), settings("mds"), storage, _ -> {}).found())
                .isEqualTo(7);
        try (var files = Files.list(folder.resolve("mds"))) {
            assertThat(files.map(file -> file.getFileName().toString()).toList())
                    .contains("index.json", "set.shards.json")
                    .noneMatch(name -> name.endsWith(".part") || name.endsWith(".idx"));
        }
    }

    @Test
    void changedBytesAreFound() throws Exception {
        Files.write(Files.createDirectories(folder.resolve("files/c0")).resolve("a.jpg"), new byte[] {1, 2, 3});
        ShardPacker.pack(files(), settings("mds"), storage, _ -> {});
        Path shard = folder.resolve("mds/set-000000.mds");
        byte[] bytes = Files.readAllBytes(shard);
        bytes[bytes.length - 9] ^= 1;
        Files.write(shard, bytes);

        assertThatThrownBy(() -> ShardCheck.check(files(), settings("mds"), storage, _ -> {}))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("set-000000.mds differs from what was packed");
    }

    @Test
    void samplesOfDifferentFieldsAndLargeShardsAreRefused() throws Exception {
        Path lines = folder.resolve("a.jsonl");
        Files.writeString(lines, "{\"x\": \"1\", \"y\": \"2\"}\n{\"x\": \"3\"}\n");
        ShardInput input = new ShardInput(
                Shards.open(storage, lines.toString(), ShardOptions.defaults(), pool), List.of(Location.of(lines)));

        assertThatThrownBy(() -> ShardPacker.pack(input, settings("no"), storage, _ -> {}))
                .hasStackTraceContaining("every sample must have the same fields, but one has [x] and all have [x, y]");
        assertThatThrownBy(() -> settings("no").limits(7, 1L << 33)).hasMessageContaining("hold at most 4294967295");
    }
}
