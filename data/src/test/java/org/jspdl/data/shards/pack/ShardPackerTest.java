package org.jspdl.data.shards.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspdl.array.Npy;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ShardPackerTest {
    private static final int FILES = 200;

    private static final String LISTING = """
            import hashlib, json, sys, tarfile
            for shard in sys.argv[1:]:
                with tarfile.open(shard) as tar:
                    for member in tar:
                        content = tar.extractfile(member)
                        print(member.name, member.offset_data, hashlib.sha1(content.read()).hexdigest())
            """;

    @TempDir
    static Path dataset;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeFiles() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Path file =
                    Files.createDirectories(dataset.resolve("class" + i % 3)).resolve("f" + i + ".JPG");
            byte[] content = new byte[i * 97];
            Arrays.fill(content, (byte) i);
            Files.write(file, i == 0 ? new byte[] {1} : content);
        }
    }

    private static void ignored(long progress) {}

    private static Map<String, byte[]> contents(Path folder) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (!file.toString().endsWith(".packed")) {
                    contents.put(file.getFileName().toString(), Files.readAllBytes(file));
                }
            }
        }
        return contents;
    }

    private static void assertEqualShards(Path folder, Map<String, byte[]> expected) throws IOException {
        Map<String, byte[]> found = contents(folder);
        assertThat(found.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(found.get(name)).as(name).isEqualTo(bytes));
    }

    /// In a folder that others can write.
    @Test
    void linksThatSomebodyPlantedAreNotWrittenThrough() throws Exception {
        Path victim = Files.writeString(dataset.resolveSibling("victim-" + System.nanoTime()), "precious");
        for (String name : List.of("set-000000.tar", "set-000003.idx", "set.shards.json", "set.bytes.cost")) {
            Files.createSymbolicLink(folder.resolve(name + ".part"), victim);
        }

        PackUser.pack(dataset, folder, ShardPackerTest::ignored);

        assertThat(victim).hasContent("precious");
        assertThat(contents(folder)).containsKeys("set-000000.tar", "set.shards.json");
    }

    @Test
    void theIndexOfTheDatasetHasEachShardAndTheBytesOfEachSample() throws Exception {
        PackResult result = PackUser.pack(dataset, folder, ShardPackerTest::ignored);

        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("index", 1 << 24)) {
            DatasetIndex index = DatasetIndex.read(storage, Location.of(folder.resolve("set.shards.json")), pool);
            assertThat(index.shards()).hasSize((int) result.shards());
            for (DatasetIndex.Shard shard : index.shards()) {
                byte[] file = Files.readAllBytes(folder.resolve(shard.name()));
                CRC32C crc = new CRC32C();
                crc.update(file);
                assertThat(shard.bytes()).isEqualTo(file.length);
                assertThat(shard.crc32c()).isEqualTo("%08x".formatted(crc.getValue()));
            }
            assertThat(index.shards().stream()
                            .mapToLong(DatasetIndex.Shard::samples)
                            .sum())
                    .isEqualTo(FILES);
            assertThat(index.costs()).containsExactly(new DatasetIndex.Cost("bytes", "set.bytes.cost"));
        }
        MemorySegment bytes = Npy.view(MemorySegment.ofArray(Files.readAllBytes(folder.resolve("set.bytes.cost"))))
                .segment();
        assertThat(bytes.byteSize()).isEqualTo(8L * FILES);
        assertThat(IntStream.range(0, FILES)
                        .mapToLong(i -> bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i))
                        .sum())
                .isEqualTo(
                        1 + FILES + LongStream.range(1, FILES).map(i -> 97 * i).sum());
    }

    @Test
    void pythonReadsWhatWasPackedWhereTheIndexSaysItIs() throws Exception {
        PackResult result = PackUser.pack(dataset, folder, ShardPackerTest::ignored);

        assertThat(result.samples()).isEqualTo(FILES);
        assertThat(result.shards()).isEqualTo((FILES + 6) / 7);
        assertThat(result.pattern()).isEqualTo(folder + "/set-{000000..000028}.tar");
        List<String> shards = new ArrayList<>();
        List<String> indexed = new ArrayList<>();
        for (int shard = 0; shard < result.shards(); shard++) {
            Path tar = folder.resolve("set-%06d.tar".formatted(shard));
            shards.add(tar.toString());
            List<String> lines = Files.readAllLines(folder.resolve("set-%06d.idx".formatted(shard)));
            assertThat(lines.getFirst()).isEqualTo("v1.2 " + (lines.size() - 1));
            for (String line : lines.subList(1, lines.size())) {
                String[] words = line.split(" ");
                indexed.add(words[3] + " " + words[1]);
                indexed.add(words[7] + " " + words[5]);
            }
        }
        List<String> listed = Programs.python(folder, LISTING, shards.toArray(String[]::new))
                .lines()
                .toList();
        assertThat(listed).hasSize(2 * FILES);
        assertThat(listed.stream().map(line -> line.substring(0, line.lastIndexOf(' '))))
                .containsExactlyElementsOf(indexed);
        assertThat(listed.getFirst()).startsWith("000000000.jpg 512 ");
        assertThat(listed.stream()
                        .map(line -> line.substring(line.lastIndexOf(' ')))
                        .distinct())
                .hasSize(FILES + 3); // every file, and three classes
    }

    @Test
    @Timeout(600)
    void whatAKilledProcessLeftIsGoneOnWithAndEndsTheSame(@TempDir Path whole) throws Exception {
        PackUser.pack(dataset, whole, ShardPackerTest::ignored);
        Map<String, byte[]> expected = contents(whole);
        int kills = Boolean.getBoolean("campaign") ? 100 : 4;
        SplittableRandom random = new SplittableRandom(8);
        for (int kill = 0; kill < kills; kill++) {
            Path shards = Files.createDirectories(folder.resolve("kill" + kill));
            Process first = PackUser.start(dataset, shards);
            awaitLine(first, "at " + 10 * random.nextInt(1, FILES / 10));
            first.destroyForcibly().waitFor();
            long before = contents(shards).keySet().stream()
                    .filter(name -> name.endsWith(".tar"))
                    .count();

            PackResult result = PackUser.pack(dataset, shards, ShardPackerTest::ignored);

            assertThat(result.samples()).isEqualTo(FILES);
            assertThat(result.found()).as("kill %d", kill).isLessThanOrEqualTo(before);
            assertEqualShards(shards, expected);
        }
    }

    private static void awaitLine(Process process, String wanted) throws IOException {
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); line != null && !line.equals(wanted); line = lines.readLine()) {
            // until it is as far
        }
    }

    @Test
    void packingAgainLeavesCompleteShardsAsTheyAre() throws Exception {
        PackUser.pack(dataset, folder, ShardPackerTest::ignored);
        Files.delete(folder.resolve("set-000020.tar"));

        PackResult again = PackUser.pack(dataset, folder, ShardPackerTest::ignored);

        assertThat(again.found()).isEqualTo(20);
        assertThat(again.samples()).isEqualTo(FILES);
        assertThat(PackUser.pack(dataset, folder, ShardPackerTest::ignored).found())
                .isEqualTo(29);
    }

    @Test
    void otherLimitsOrOtherFilesAreRefusedWhereSomethingWasPacked(@TempDir Path other) throws Exception {
        PackUser.pack(dataset, folder, ShardPackerTest::ignored);
        Files.write(Files.createDirectories(other.resolve("a")).resolve("x.jpg"), new byte[] {1});

        assertThatThrownBy(() -> PackUser.pack(other, folder, ShardPackerTest::ignored))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("begun with other input (200 files ")
                .hasMessageContaining("now 1 files ");
        Files.delete(folder.resolve("set.packed"));
        assertThatThrownBy(() -> PackUser.pack(dataset, folder, ShardPackerTest::ignored))
                .hasMessageContaining("set-000000.tar exists already");
        for (int shard = 0; shard < 12; shard++) {
            Files.deleteIfExists(folder.resolve(String.format(Locale.ROOT, "set-%06d.tar", shard)));
        }
        assertThatThrownBy(() -> PackUser.pack(dataset, folder, ShardPackerTest::ignored))
                .hasMessageContaining(".tar exists already");
    }

    @Test
    void anotherVersionOfAFileIsAnotherInput(@TempDir Path files) throws Exception {
        Path cat = Files.createDirectories(files.resolve("cat"));
        for (int i = 0; i < 20; i++) {
            Files.write(cat.resolve("f" + i + ".jpg"), new byte[100 + i]);
        }
        PackUser.pack(files, folder, ShardPackerTest::ignored);
        assertThat(PackUser.pack(files, folder, ShardPackerTest::ignored).found())
                .isEqualTo(3);
        Path last = cat.resolve("f19.jpg");
        FileTime before = Files.getLastModifiedTime(last);
        Files.write(last, new byte[119]);
        Files.setLastModifiedTime(last, FileTime.fromMillis(before.toMillis() + 1_000));

        assertThatThrownBy(() -> PackUser.pack(files, folder, ShardPackerTest::ignored))
                .isInstanceOf(PackException.class)
                .hasMessageContaining("begun with other input (20 files ");

        Files.setLastModifiedTime(last, before);
        assertThat(PackUser.pack(files, folder, ShardPackerTest::ignored).found())
                .isEqualTo(3);
    }

    @Test
    void otherVersionsOfShardsAndOtherFieldsOfThemAreAnotherInput() throws Exception {
        PackUser.pack(dataset, folder.resolve("a"), ShardPackerTest::ignored);
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("samples", 1 << 28)) {
            List<Location> locations = Shards.locations(storage, Location.of(folder.resolve("a")));
            ShardOptions classes = ShardOptions.defaults().columns("cls");
            PackSettings to = PackSettings.of(folder.resolve("b"), "new");
            ShardStream<ShardSample> stream = Shards.open(storage, locations, classes, pool);
            FileVersions versions = FileVersions.ofShards(storage, locations);
            ShardPacker.pack(
                    new ShardInput(stream, locations, classes.selection(), versions),
                    to,
                    storage,
                    ShardPackerTest::ignored);
            Path shard = locations.getFirst().path();
            Files.setLastModifiedTime(shard, FileTime.fromMillis(1_000));
            FileVersions others = FileVersions.ofShards(storage, locations);

            assertThatThrownBy(() -> ShardPacker.pack(
                            new ShardInput(stream, locations, classes.selection(), others),
                            to,
                            storage,
                            ShardPackerTest::ignored))
                    .hasMessageContaining("begun with other input");
            assertThatThrownBy(() -> ShardPacker.pack(
                            new ShardInput(stream, locations, "[jpg]", versions),
                            to,
                            storage,
                            ShardPackerTest::ignored))
                    .hasMessageContaining("begun with other input");
        }
    }

    @Test
    void aFileThatIsNoJournalIsNotCutOff() throws Exception {
        Path journal = folder.resolve("set.packed");
        for (String notes : List.of("notes of mine", "notes\nof mine", "{\"jspdl\": 1}\n", "\0\0")) {
            Files.writeString(journal, notes);

            assertThatThrownBy(() -> PackUser.pack(dataset, folder, ShardPackerTest::ignored))
                    .isInstanceOf(PackException.class)
                    .hasMessageContaining("set.packed is no journal of a pack");

            assertThat(journal).content().isEqualTo(notes);
        }
        Files.writeString(journal, "{\"jspdl-pa"); // by a process that was killed
        assertThat(PackUser.pack(dataset, folder, ShardPackerTest::ignored).found())
                .isZero();
    }

    @Test
    void verifyingFindsEveryChangedByte() throws Exception {
        PackUser.pack(dataset, folder, ShardPackerTest::ignored);
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("files", 1 << 28)) {
            FileInput input = PackUser.input(dataset, storage, pool);
            ShardCheck.check(input, PackUser.settings(folder), storage, ShardPackerTest::ignored);
            Path shard = folder.resolve("set-000003.tar");
            byte[] sound = Files.readAllBytes(shard);
            for (int at : new int[] {1, 512, sound.length / 2 / 512 * 512 + 1, sound.length - 1030}) {
                byte[] damaged = sound.clone();
                damaged[at] ^= 4;
                Files.write(shard, damaged);
                if (isPadding(sound, at)) {
                    continue;
                }
                assertThatThrownBy(() ->
                                ShardCheck.check(input, PackUser.settings(folder), storage, ShardPackerTest::ignored))
                        .as("byte %d", at)
                        .isInstanceOf(PackException.class)
                        .hasMessageContaining(shard.toString());
            }
        }
    }

    /// Whether nothing is said by a byte: it is zero between contents and the next header.
    private static boolean isPadding(byte[] tar, int at) {
        return tar[at] == 0;
    }

    @Test
    void anUnreadableFileEndsTheWorkOrIsLeftOut(@TempDir Path broken) throws Exception {
        for (int i = 0; i < 20; i++) {
            Files.write(Files.createDirectories(broken.resolve("c")).resolve("f" + i), new byte[] {(byte) (i + 1)});
        }
        Files.delete(broken.resolve("c/f7"));
        Files.createSymbolicLink(broken.resolve("c/f7"), broken.resolve("c/nowhere"));
        Path list = broken.resolve("list.txt");
        Files.writeString(
                list,
                String.join(
                        "\n",
                        Stream.iterate(0, i -> i < 20, i -> i + 1)
                                .map(i -> "c/f" + i + " 1")
                                .toList()));
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("files", 1 << 28)) {
            FileInput input = PackUser.input(list, storage, pool);
            assertThatThrownBy(
                            () -> ShardPacker.pack(input, PackUser.settings(folder), storage, ShardPackerTest::ignored))
                    .isInstanceOf(PipelineException.class)
                    .hasStackTraceContaining("f7");
            PackSettings lenient = PackUser.settings(folder).writers(2).failures(FailurePolicy.skip(1));
            PackResult result = ShardPacker.pack(input, lenient, storage, ShardPackerTest::ignored);
            assertThat(result.samples()).isEqualTo(19);
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void shardsArePackedAnewWithTheirNamesAndFields() throws Exception {
        PackUser.pack(dataset, folder.resolve("a"), ShardPackerTest::ignored);
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("samples", 1 << 28)) {
            ShardInput input = shards(storage, folder.resolve("a"), pool);
            PackSettings larger = PackSettings.of(folder.resolve("b"), "new").limits(50, 1 << 20);
            PackResult result = ShardPacker.pack(input, larger, storage, ShardPackerTest::ignored);
            assertThat(result.shards()).isEqualTo(4);
            assertThat(texts(storage, folder.resolve("b"), pool))
                    .containsExactlyElementsOf(texts(storage, folder.resolve("a"), pool));
        }
    }

    private static ShardInput shards(Storage storage, Path folder, BufferPool pool) throws IOException {
        ShardStream<ShardSample> stream = Shards.open(storage, folder.toString(), ShardOptions.defaults(), pool);
        return new ShardInput(stream, Shards.locations(storage, Location.of(folder)));
    }

    private static List<String> texts(Storage storage, Path folder, BufferPool pool) throws Exception {
        List<String> texts = new ArrayList<>();
        try (Cursor<ShardSample> cursor = shards(storage, folder, pool).source().open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    texts.add(sample.key() + " " + sample.text("cls") + " "
                            + sample.bytes("jpg").byteSize());
                }
            }
        }
        return texts;
    }

    @Test
    void samplesOfOneNameInOneShardAreRefused() throws Exception {
        Files.writeString(folder.resolve("a.jsonl"), "{\"x\": 1}\n{\"x\": 2}\n");
        PackUser.pack(dataset, folder.resolve("tars"), ShardPackerTest::ignored);
        Path twice = Files.createDirectories(folder.resolve("twice"));
        Files.copy(folder.resolve("tars/set-000000.tar"), twice.resolve("a.tar"));
        Files.copy(folder.resolve("tars/set-000000.tar"), twice.resolve("b.tar"));
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("samples", 1 << 28)) {
            assertThatThrownBy(() -> ShardPacker.pack(
                            shards(storage, twice, pool),
                            PackSettings.of(folder.resolve("out"), "new"),
                            storage,
                            ShardPackerTest::ignored))
                    .hasStackTraceContaining("two samples of one shard are called '000000000'")
                    .hasStackTraceContaining("--number");
            ShardInput lines = new ShardInput(
                    Shards.open(storage, folder.resolve("a.jsonl").toString(), ShardOptions.defaults(), pool),
                    List.of(Location.of("a.jsonl")));
            assertThat(ShardPacker.pack(
                                    lines,
                                    PackSettings.of(folder.resolve("lines"), "l"),
                                    storage,
                                    ShardPackerTest::ignored)
                            .samples())
                    .isEqualTo(2);
        }
    }
}
