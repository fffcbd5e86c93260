package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipInputStream;
import org.jspdl.data.shards.mds.MdsFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where samples and their fields lie in their shards: what is cut out of the file there is what they hold.
class ShardExtentTest {
    private static final int BLOCK = 512;

    /// Two members and a long one, whose name takes an extended header, of each sample; and two that are of none.
    private static final String TAR = """
            import io, sys, tarfile
            formats = {'pax': tarfile.PAX_FORMAT, 'ustar': tarfile.USTAR_FORMAT, 'gnu': tarfile.GNU_FORMAT}
            with tarfile.open('cut.tar', 'w', format=formats[sys.argv[1]]) as tar:
                def add(name, data):
                    info = tarfile.TarInfo(name)
                    info.size = len(data)
                    tar.addfile(info, io.BytesIO(data))
                add('README', b'no sample')
                for i in range(6):
                    key = f'{"long" * 40 if i == 3 and sys.argv[1] != "ustar" else "s"}{i:04d}'
                    add(key + '.jpg', bytes([i]) * (i * 512 + i))
                    if i == 4:
                        add('README', b'no sample either')
                    add(key + '.cls', str(i).encode())
            """;

    @TempDir
    Path folder;

    /// What a sample lies in: its range, and of each field its range and bytes.
    private record Found(
            long index, String key, ShardSample.Extent all, List<ShardSample.Extent> fields, List<byte[]> contents) {}

    @ParameterizedTest
    @ValueSource(strings = {"pax", "ustar", "gnu"})
    void theBytesOfAFieldOfATarAreThoseOfItsMember(String kind) throws Exception {
        Programs.python(folder, TAR, kind);
        byte[] file = Files.readAllBytes(folder.resolve("cut.tar"));
        List<Found> samples = found(folder.resolve("cut.tar"), Position.START);

        assertThat(samples).hasSize(6);
        long last = 2 * BLOCK; // README, which is of no sample
        for (Found sample : samples) {
            assertFieldsAreCutOut(file, sample, 2);
            assertThat(sample.all().begin()).isEqualTo(last);
            String header = new String(file, (int) last, 100, StandardCharsets.ISO_8859_1);
            boolean extended = sample.key().length() > 100;
            assertThat(header.startsWith(sample.key())).isEqualTo(!extended);
            long headers = sample.fields().getFirst().begin() - last;
            assertThat(headers).isGreaterThanOrEqualTo(extended ? 3 * BLOCK : BLOCK);
            assertThat(extended || headers == BLOCK).isTrue();
            assertThat(sample.fields().getLast().end()).isEqualTo(sample.all().end());
            last = (sample.all().end() + BLOCK - 1) / BLOCK * BLOCK;
        }
    }

    @Test
    void aTarThatIsResumedTellsTheSameBytes() throws Exception {
        Path shard = ShardFiles.tar(folder, 20, "pax");
        List<Found> whole = found(shard, Position.START);
        Position after;
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("shards", 1 << 26);
                Cursor<ShardSample> samples = open(storage, shard, pool, Position.START)) {
            for (int i = 0; i < 7; i++) {
                assertThat(samples.advance()).isTrue();
                samples.item().close();
            }
            after = samples.position();
        }
        List<Found> rest = found(shard, after);

        assertThat(rest).hasSize(13);
        byte[] file = Files.readAllBytes(shard);
        for (int i = 0; i < rest.size(); i++) {
            assertFieldsAreCutOut(file, rest.get(i), 3);
            assertThat(rest.get(i).all()).isEqualTo(whole.get(i + 7).all());
        }
    }

    @Test
    void theBytesOfJsonLinesThatASampleLiesInAreItsLine() throws Exception {
        Path shard = folder.resolve("lines.jsonl");
        Files.writeString(shard, "{\"a\": 1}\n\n  \n{\"a\": 22}\r\n{\"a\": \"é\"}");
        byte[] file = Files.readAllBytes(shard);
        List<Found> samples = found(shard, Position.START);

        assertThat(samples)
                .extracting(sample -> new String(cut(file, sample.all()), StandardCharsets.UTF_8))
                .containsExactly("{\"a\": 1}\n", "{\"a\": 22}\r\n", "{\"a\": \"é\"}");
        assertThat(samples).allSatisfy(sample -> assertThat(sample.fields()).isEmpty()); // a text is unescaped
    }

    @Test
    void theBytesOfARecordAreItsContentAndItsSampleHasLengthAndChecksumsToo() throws Exception {
        Path shard = ShardFiles.tfRecords(folder, 9);
        byte[] file = Files.readAllBytes(shard);
        long last = 0;
        for (Found sample : found(shard, Position.START)) {
            assertFieldsAreCutOut(file, sample, 1);
            assertThat(sample.all().begin()).isEqualTo(last);
            assertThat(sample.fields().getFirst().begin()).isEqualTo(last + 12);
            last = sample.all().end();
            assertThat(sample.fields().getFirst().end()).isEqualTo(last - 4);
        }
        assertThat(last).isEqualTo(file.length);
    }

    @Test
    void theBytesOfAFieldOfMdsAreItsValue() throws Exception {
        Path shard = MdsFiles.write(folder, 5).getFirst();
        byte[] file = Files.readAllBytes(shard);
        List<Found> samples = found(shard, Position.START);

        assertThat(samples).hasSize(5);
        for (Found sample : samples) {
            assertThat(sample.fields()).isNotEmpty();
            assertFieldsAreCutOut(file, sample, sample.fields().size());
        }
        assertThat(samples.getLast().all().end()).isEqualTo(file.length);
    }

    @Test
    void compressedShardsAndColumnsHaveNoRange() throws Exception {
        Path tar = ShardFiles.tar(folder, 5, "pax");
        Path zipped = folder.resolve("zipped.tar.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            Files.copy(tar, out);
        }
        List<Path> mds = MdsFiles.write(folder, 5);
        for (Path shard : List.of(
                zipped,
                ShardFiles.gzipJsonLines(folder, 5),
                ShardFiles.zstdJsonLines(folder, 5),
                mds.get(1),
                mds.get(2),
                ShardFiles.npy(folder, 5),
                ShardFiles.npz(folder, 5),
                arrow())) {
            try (Storage storage = Storage.open();
                    BufferPool pool = BufferPool.create("shards", 1 << 26);
                    Cursor<ShardSample> samples = open(storage, shard, pool, Position.START)) {
                assertThat(samples.advance()).isTrue();
                try (ShardSample sample = samples.item()) {
                    assertThat(sample.extent()).as("%s", shard).isEmpty();
                    assertThat(sample.names())
                            .isNotEmpty()
                            .allSatisfy(
                                    field -> assertThat(sample.extent(field)).isEmpty());
                }
            }
        }
    }

    /// The first table of those of the tests of Arrow.
    private Path arrow() throws Exception {
        Path table = folder.resolve("table.arrow");
        try (ZipInputStream tables =
                new ZipInputStream(Objects.requireNonNull(getClass().getResourceAsStream("/arrow/tables.zip")))) {
            assertThat(Objects.requireNonNull(tables.getNextEntry()).getName()).endsWith(".arrow");
            Files.copy(tables, table);
        }
        return table;
    }

    private static void assertFieldsAreCutOut(byte[] file, Found sample, int fields) {
        assertThat(sample.fields()).hasSize(fields);
        for (int i = 0; i < fields; i++) {
            ShardSample.Extent field = sample.fields().get(i);
            assertThat(field.begin()).isGreaterThanOrEqualTo(sample.all().begin());
            assertThat(field.end()).isLessThanOrEqualTo(sample.all().end());
            assertThat(cut(file, field)).isEqualTo(sample.contents().get(i));
        }
    }

    private static byte[] cut(byte[] file, ShardSample.Extent extent) {
        return Arrays.copyOfRange(file, (int) extent.begin(), (int) extent.end());
    }

    private static Cursor<ShardSample> open(Storage storage, Path shard, BufferPool pool, Position from)
            throws Exception {
        return Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool)
                .open(0, from);
    }

    private static List<Found> found(Path shard, Position from) throws Exception {
        List<Found> found = new ArrayList<>();
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("shards", 1 << 26);
                Cursor<ShardSample> samples = open(storage, shard, pool, from)) {
            while (samples.advance()) {
                try (ShardSample sample = samples.item()) {
                    List<ShardSample.Extent> fields = new ArrayList<>();
                    List<byte[]> contents = new ArrayList<>();
                    for (String field : sample.names()) {
                        sample.extent(field).ifPresent(extent -> {
                            fields.add(extent);
                            contents.add(sample.bytes(field).toArray(ValueLayout.JAVA_BYTE));
                        });
                    }
                    found.add(new Found(
                            sample.index(), sample.key(), sample.extent().orElseThrow(), fields, contents));
                }
            }
        }
        return found;
    }
}
