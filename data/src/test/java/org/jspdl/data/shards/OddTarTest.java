package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Archives in which samples would be incomplete, or missing, without anybody noticing.
class OddTarTest {
    private static final String WRITE = """
            import gzip, io, sys, tarfile
            def add(tar, name, target=None, kind=tarfile.LNKTYPE):
                info = tarfile.TarInfo(name)
                data = b'' if target else name.encode('utf-8', 'surrogateescape')[-9:]
                info.size = len(data)
                if target:
                    info.type, info.linkname = kind, target
                tar.addfile(info, io.BytesIO(data))
            def write(file, names, **more):
                with tarfile.open(file, 'w', format=tarfile.PAX_FORMAT, **more) as tar:
                    for name in names:
                        add(tar, *name) if isinstance(name, tuple) else add(tar, name)
            """;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("tars", 1 << 24);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private Path write(String file, String script) throws Exception {
        Programs.python(folder, WRITE + script);
        return folder.resolve(file);
    }

    private List<String> keys(Path file, ShardOptions options) throws Exception {
        List<String> keys = new ArrayList<>();
        for (String text : ShardTexts.all(Shards.shard(storage, file.toString(), options, pool))) {
            keys.add(text.replaceAll("^\\d+ |=\\S*", ""));
        }
        return keys;
    }

    private long count(Path file, ShardOptions options) throws Exception {
        ShardFile shard = new ShardFile(storage, Location.of(file), options, pool);
        return new org.jspdl.data.shards.tar.TarFormat().count(shard);
    }

    /// The number of samples without reading them.
    private OptionalLong indexed(Path file) throws Exception {
        return Shards.shard(storage, file.toString(), ShardOptions.defaults(), pool)
                .size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LNKTYPE", "SYMTYPE"})
    void aSampleWithALinkInPlaceOfAWantedFileIsBroken(String kind) throws Exception {
        Path file = write(
                "a.tar",
                "write('a.tar', ['a.jpg', 'a.cls', ('b.jpg', 'a.jpg', tarfile.%s), 'b.cls', 'c.jpg', 'c.cls'])"
                        .formatted(kind));
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> keys(file, ShardOptions.defaults()))
                .withMessageContaining("'b.jpg' is a link to 'a.jpg'")
                .withMessageContaining("--hard-dereference");
        List<Long> broken = new ArrayList<>();
        ShardOptions skipping =
                ShardOptions.defaults().failures(ShardFailures.skip(Long.MAX_VALUE, each -> broken.add(each.index())));
        assertThat(keys(file, skipping)).containsExactly("a jpg cls", "c jpg cls");
        assertThat(broken).containsExactly(1L);
        assertThat(count(file, skipping)).isEqualTo(2);
        assertThat(keys(file, ShardOptions.defaults().columns("cls"))).containsExactly("a cls", "b cls", "c cls");
        assertThat(count(file, ShardOptions.defaults().columns("cls"))).isEqualTo(3);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> TarIndex.of(new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool)))
                .withMessageContaining("the index cannot be made: 'b.jpg' is a link to 'a.jpg'");
    }

    /// Archives that were not sorted, or to which files were added again.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "['a.jpg', 'b.jpg', 'a.cls', 'b.cls', 'c.jpg', 'c.cls']",
                "['a.jpg', 'a.cls', 'b.jpg', 'c.jpg', 'c.cls', 'a.jpg', 'a.cls']"
            })
    void aSampleWhoseNameComesAgainBehindOthersIsBroken(String names) throws Exception {
        Path file = write("a.tar", "write('a.tar', " + names + ")");
        List<ShardFailures.Broken> broken = new ArrayList<>();

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> keys(file, ShardOptions.defaults()))
                .withMessageContaining("there are files of 'a' before, with others between")
                .withMessageContaining("tar --sort=name");
        ShardOptions skipping = ShardOptions.defaults().failures(ShardFailures.skip(5, broken::add));
        assertThat(keys(file, skipping)).contains("c jpg cls").doesNotContain("a cls");
        assertThat(broken).isNotEmpty();
        assertThat(count(file, skipping)).isEqualTo(keys(file, skipping).size());
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> TarIndex.of(new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool)))
                .withMessageContaining("the index cannot be made: there are files of 'a' before");
    }

    @Test
    void anIndexOfAnArchiveWithANameThatComesAgainIsRefused() throws Exception {
        Path file = write("a.tar", "write('a.tar', ['a.jpg', 'b.jpg', 'a.jpg'])");
        List<List<TarIndex.Component>> samples = List.of(
                List.of(new TarIndex.Component("jpg", 512, 5, "a.jpg")),
                List.of(new TarIndex.Component("jpg", 1536, 5, "b.jpg")),
                List.of(new TarIndex.Component("jpg", 2560, 5, "a.jpg")));
        Files.writeString(folder.resolve("a.idx"), TarIndex.write(samples));

        assertThatThrownBy(() -> indexed(file))
                .hasStackTraceContaining("a.idx: sample 2 of the index: there are files of 'a' before");
        Files.writeString(folder.resolve("a.idx"), TarIndex.write(samples.subList(0, 2)));
        assertThatThrownBy(() -> indexed(file)).hasStackTraceContaining("the index beside it ends before 'a.jpg'");
    }

    @Test
    void aPassThatGoesOnBehindABrokenSampleLosesNone() throws Exception {
        Path file = write("a.tar.gz", """
                write('a.tar', ['a.jpg', ('b.jpg', 'a.jpg'), 'c.jpg', 'd.jpg'])
                open('a.tar.gz', 'wb').write(gzip.compress(open('a.tar', 'rb').read()))
                """);
        ShardOptions skipping = ShardOptions.defaults().failures(ShardFailures.skip(5, _ -> {}));
        Source<ShardSample> shard = Shards.shard(storage, file.toString(), skipping, pool);
        List<String> keys = new ArrayList<>();
        Position after = Position.START;
        for (boolean more = true; more; ) {
            try (Cursor<ShardSample> cursor = shard.open(0, after)) {
                more = cursor.advance();
                if (more) {
                    keys.add(cursor.item().key());
                    cursor.item().close();
                    after = cursor.position();
                }
            }
        }

        assertThat(keys).containsExactly("a", "c", "d");
    }

    @Test
    void onlyNamesWithUnderscoresAtBothEndsSayNothingOfSamples() throws Exception {
        Path file = write("a.tar", "write('a.tar', ['__meta__.json', 'x/__about__.txt', '__1.jpg', 'x/__2__3.jpg'])");
        assertThat(keys(file, ShardOptions.defaults())).containsExactly("__1 jpg", "x/__2__3 jpg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.tar", "a.tar.gz"})
    void archivesThatWereJoinedAreRefused(String name) throws Exception {
        Path file = write(name, """
                import os
                one, two = 'one.tar', 'two.tar'
                write(one, ['a.jpg', 'b.jpg'])
                write(two, ['c.jpg'])
                both = open(one, 'rb').read() + open(two, 'rb').read()
                opened = gzip.open if sys.argv[1].endswith('gz') else open
                opened(sys.argv[1], 'wb').write(both)
                """.replace("sys.argv[1]", "'" + name + "'"));
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> keys(file, ShardOptions.defaults()))
                .withMessageContaining("more entries behind the end marker");
    }

    @Test
    void theChecksumOfAGzippedArchiveIsVerifiedBehindItsEndMarker() throws Exception {
        Path file = write("a.tar.gz", """
                write('a.tar', ['a.jpg', 'b.jpg'])
                data = bytearray(gzip.compress(open('a.tar', 'rb').read()))
                data[-8] ^= 1
                open('a.tar.gz', 'wb').write(data)
                """);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> keys(file, ShardOptions.defaults()))
                .withMessageContaining("the checksum or the size behind its data is wrong");
    }

    @Test
    void namesOfPaxThatAreNoUtf8StayDifferent() throws Exception {
        Path file = write("a.tar", "write('a.tar', ['caf\\udce8.jpg', 'caf\\udce9.jpg'], errors='surrogateescape')");
        assertThat(keys(file, ShardOptions.defaults())).containsExactly("caf\u00e8 jpg", "caf\u00e9 jpg");
        assertThat(Files.size(file)).isPositive();
    }

    @Test
    void anIndexThatIsOlderThanItsShardIsRefused() throws Exception {
        Path file = write("a.tar", "write('a.tar', ['a.jpg', 'b.jpg'])");
        ShardFile shard = new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool);
        Files.writeString(
                folder.resolve("a.idx"), TarIndex.write(TarIndex.of(shard).samples()));
        assertThat(indexed(file)).hasValue(2);

        write("a.tar", "with tarfile.open('a.tar', 'a') as tar: add(tar, 'c.jpg')");

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> indexed(file))
                .withMessageContaining("a.tar: the index beside it ends before 'c.jpg', which was added later");
    }
}
