package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Ranks over shards that do not say how many samples they have.
@ExtendWith(LeakCheck.class)
class CountedShardsTest {
    private static final int RANKS = 4;

    @TempDir
    Path folder;

    private BufferPool pool;
    private Storage storage;

    @BeforeEach
    void open() {
        pool = BufferPool.unbounded("samples");
        storage = Storage.open(StorageOptions.defaults().notesFolder(folder.resolve("notes")));
    }

    @AfterEach
    void close() {
        storage.close();
        pool.close();
    }

    private Path tar(String name, int samples) throws Exception {
        Path file = folder.resolve(name);
        try (TarWriter tar = TarWriter.create(file)) {
            for (int i = 0; i < samples; i++) {
                tar.add("s" + i + ".txt", MemorySegment.ofArray("text".getBytes(StandardCharsets.UTF_8)));
                if (i % 3 != 2) {
                    tar.add("s" + i + ".cls", MemorySegment.ofArray(new byte[] {'1'}));
                }
            }
        }
        return file;
    }

    private String lines(int count) {
        return IntStream.range(0, count).mapToObj(i -> "{\"n\": " + i + "}\n").collect(Collectors.joining());
    }

    /// Tars of 40, 10 and 3 samples, one of 6 that is compressed, 17 lines, and 5 lines that are compressed.
    private void writeShards() throws Exception {
        tar("a.tar", 40);
        tar("b.tar", 10);
        tar("c.tar", 3);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("d.tar.gz")))) {
            Path plain = tar("plain", 6);
            Files.copy(plain, out);
            Files.delete(plain);
        }
        Files.writeString(folder.resolve("e.jsonl"), lines(17));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("f.jsonl.gz")))) {
            out.write(lines(5).getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<List<String>> shares(Even even, ShardOptions options, String pattern) throws Exception {
        List<List<String>> shares = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ShardStream<ShardSample> stream =
                    Shards.share(Shards.open(storage, folder + "/" + pattern, options, pool), rank, RANKS, even);
            List<String> share = new ArrayList<>();
            try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
                while (cursor.advance()) {
                    try (ShardSample sample = cursor.item()) {
                        share.add(sample.shard() + "#" + sample.index());
                    }
                }
            }
            stream.size().ifPresent(size -> assertThat(share).hasSize(Math.toIntExact(size)));
            shares.add(share);
        }
        return shares;
    }

    @Test
    void shardsOfAnyFormatAreCountedSoThatRanksMatch() throws Exception {
        writeShards();
        List<List<String>> shares = shares(Even.COUNT, ShardOptions.defaults(), "[a-f].*");

        assertThat(shares).allMatch(share -> share.size() == 81 / RANKS);
        Set<String> distinct = new HashSet<>();
        shares.forEach(distinct::addAll);
        assertThat(distinct).hasSize(81 / RANKS * RANKS);
    }

    @Test
    void everyWayToMatchHoldsForShardsOfUnknownSize() throws Exception {
        writeShards();
        for (Even even : List.of(Even.STOP_TOGETHER, Even.REPEAT)) {
            int each = even == Even.REPEAT ? 21 : 20;
            assertThat(shares(even, ShardOptions.defaults(), "[a-f].*")).allMatch(share -> share.size() == each);
        }
        List<String> uneven = shares(Even.UNEVEN, ShardOptions.defaults(), "[a-f].*").stream()
                .flatMap(List::stream)
                .toList();
        assertThat(uneven).hasSize(81).doesNotHaveDuplicates();
    }

    @Test
    void whatIsLeftOutIsNotCounted() throws Exception {
        tar("a.tar", 40);
        Path damaged = tar("b.tar", 20);
        try (var file = Files.newByteChannel(damaged, StandardOpenOption.WRITE)) {
            file.truncate(10_000);
        }
        Files.writeString(folder.resolve("e.jsonl"), lines(3) + "{\"n\": \n" + lines(4));
        ShardOptions skipping = ShardOptions.defaults().failures(ShardFailures.skip(1_000, _ -> {}));
        for (ShardOptions options : List.of(skipping, skipping.columns("txt", "cls"))) {
            List<List<String>> all = shares(Even.UNEVEN, options, "[a-f].*");
            int found = all.stream().mapToInt(List::size).sum();

            assertThat(shares(Even.COUNT, options, "[a-f].*")).allMatch(share -> share.size() == found / RANKS);
        }
    }

    @Test
    void whatWasCountedIsKnownToLaterRunsUntilAShardChanges() throws Exception {
        writeShards();
        assertThat(counted()).isEqualTo(81);
        // the same size and time, so that only who reads it notices
        Path lines = folder.resolve("e.jsonl");
        var time = Files.getLastModifiedTime(lines);
        Files.writeString(lines, Files.readString(lines).replace("}\n{", "   "));
        Files.setLastModifiedTime(lines, time);
        assertThat(counted()).as("not read again").isEqualTo(81);

        Files.writeString(lines, lines(20));

        assertThat(counted()).isEqualTo(84);
        assertThat(Shards.open(storage, folder + "/[a-f].*", ShardOptions.defaults(), pool)
                        .size())
                .as("what was counted is for those who ask for it alone")
                .isEmpty();
    }

    private long counted() throws Exception {
        return Shards.open(storage, folder + "/[a-f].*", ShardOptions.defaults(), pool)
                .counted()
                .size()
                .orElseThrow();
    }
}
