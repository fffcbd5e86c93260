package org.jspdl.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspdl.fixtures.Bytes;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against archives that Python's `tarfile` wrote, and the other way round.
class TarTest {
    /// Writes files of many sizes and names, folders and links; prints name, kind, size, time and a checksum of
    /// each.
    private static final String WRITE = """
            import hashlib, io, sys, tarfile
            kind = {'ustar': tarfile.USTAR_FORMAT, 'gnu': tarfile.GNU_FORMAT, 'pax': tarfile.PAX_FORMAT}[sys.argv[1]]
            names = ['a', 'dir/b.txt', 'x' * 100, 'd' * 60 + '/' + 'f' * 90, 'p' * 100 + '/' + 'q' * 100]
            if kind != tarfile.USTAR_FORMAT:
                names += ['l' * 101, 'long/' * 60 + 'name', 'é' * 80, 'grüße.txt']
            with tarfile.open('t.tar', 'w', format=kind) as tar:
                def add(info, data=b''):
                    tar.addfile(info, io.BytesIO(data))
                    what = {tarfile.REGTYPE: 'FILE', tarfile.DIRTYPE: 'DIRECTORY', tarfile.SYMTYPE: 'SYMBOLIC_LINK',
                            tarfile.LNKTYPE: 'HARD_LINK', tarfile.FIFOTYPE: 'OTHER'}[info.type]
                    print(info.name.rstrip('/'), what, len(data), int(info.mtime), info.linkname or '-', hashlib.md5(data).hexdigest())
                for i, name in enumerate(names):
                    for size in (0, 1, 511, 512, 513, 70000):
                        info = tarfile.TarInfo(f'{name}' if size == 513 else f'{size}/{name}'[:100] if kind == tarfile.USTAR_FORMAT and len(name) == 100
                                               else f'{size}/{name}')
                        info.size, info.mtime, info.mode = size, 1_700_000_000 + i, 0o640
                        add(info, bytes(j * 31 % 251 for j in range(size)))
                for type, name, link in ((tarfile.DIRTYPE, 'dir', ''), (tarfile.SYMTYPE, 'link', 'a' * 99),
                                         (tarfile.LNKTYPE, 'hard', 'dir/b.txt'), (tarfile.FIFOTYPE, 'pipe', '')):
                    info = tarfile.TarInfo(name)
                    info.type, info.linkname = type, link
                    add(info)
                if kind != tarfile.USTAR_FORMAT:
                    info = tarfile.TarInfo('longlink')
                    info.type, info.linkname = tarfile.SYMTYPE, 'y' * 300
                    add(info)
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"ustar", "gnu", "pax"})
    void everyEntryIsTheOneThatPythonWrote(String format) throws Exception {
        List<String> written = Programs.python(folder, WRITE, format).lines().toList();
        Path path = folder.resolve("t.tar");

        assertThat(inMemory(path)).isEqualTo(written);
        try (TarStream stream = TarStream.open(path)) {
            assertThat(streamed(stream)).isEqualTo(written);
        }
        try (TarStream stream = TarStream.over(new Trickle(Files.newInputStream(path)))) {
            assertThat(streamed(stream)).isEqualTo(written);
        }
    }

    private static List<String> inMemory(Path path) throws Exception {
        List<String> entries = new ArrayList<>();
        try (TarArchive archive = TarArchive.open(path)) {
            for (TarEntry entry : archive) {
                entries.add(line(entry, archive.data(entry)));
            }
        }
        return entries;
    }

    private static List<String> streamed(TarStream stream) throws Exception {
        List<String> entries = new ArrayList<>();
        while (stream.advance()) {
            MemorySegment content = MemorySegment.ofArray(new byte[(int) stream.remaining()]);
            stream.read(content);
            entries.add(line(stream.entry(), content));
        }
        assertThat(stream.advance()).isFalse();
        return entries;
    }

    private static String line(TarEntry entry, MemorySegment content) throws Exception {
        byte[] digest = java.security.MessageDigest.getInstance("MD5").digest(Bytes.of(content));
        String link = entry.linkName().isEmpty() ? "-" : entry.linkName();
        String name = entry.name().endsWith("/")
                ? entry.name().substring(0, entry.name().length() - 1)
                : entry.name();
        return name + " " + entry.type() + " " + entry.byteSize() + " "
                + entry.modified().getEpochSecond() + " " + link + " "
                + java.util.HexFormat.of().formatHex(digest);
    }

    /// Gives at most 100 bytes at a time, as a slow network may.
    private static final class Trickle extends java.io.FilterInputStream {
        Trickle(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return super.read(bytes, from, Math.min(length, 100));
        }
    }

    @Test
    void whatIsNotReadIsPassed() throws Exception {
        Programs.python(folder, WRITE, "pax");
        List<String> names = new ArrayList<>();
        try (TarArchive archive = TarArchive.open(folder.resolve("t.tar"));
                TarStream stream = TarStream.open(folder.resolve("t.tar"))) {
            for (TarEntry entry : archive) {
                assertThat(stream.advance()).isTrue();
                assertThat(stream.entry().offset()).isEqualTo(entry.offset());
                assertThat(stream.entry().dataOffset()).isEqualTo(entry.dataOffset());
                stream.read(MemorySegment.ofArray(new byte[(int) (stream.remaining() / 2)]));
                names.add(entry.name());
            }
            assertThat(stream.advance()).isFalse();
        }
        assertThat(names).hasSizeGreaterThan(50);
    }

    @Test
    void anArchiveIsReadFromAnyEntryOn() throws Exception {
        Programs.python(folder, WRITE, "gnu");
        try (TarArchive archive = TarArchive.open(folder.resolve("t.tar"))) {
            List<String> names = new ArrayList<>();
            archive.forEach(entry -> names.add(entry.name()));
            int at = 0;
            for (TarEntry entry : archive) {
                Iterator<TarEntry> rest = archive.from(entry.offset());
                List<String> restNames = new ArrayList<>();
                rest.forEachRemaining(later -> restNames.add(later.name()));
                assertThat(restNames).isEqualTo(names.subList(at, names.size()));
                at++;
            }
        }
    }

    @Test
    void paxRecordsOfTheArchiveAndOfAnEntryAreSeen() throws Exception {
        Programs.python(folder, """
                import io, tarfile
                with tarfile.open('t.tar', 'w', format=tarfile.PAX_FORMAT, pax_headers={'comment': 'all of it', 'mtime': '12.5'}) as tar:
                    for name in 'ab':
                        info = tarfile.TarInfo(name)
                        info.pax_headers = {'mtime': '1700000000.123456789', 'mine': 'yes'} if name == 'b' else {}
                        tar.addfile(info)
                """);
        try (TarArchive archive = TarArchive.open(folder.resolve("t.tar"))) {
            Iterator<TarEntry> entries = archive.iterator();
            TarEntry a = entries.next();
            TarEntry b = entries.next();

            assertThat(a.records()).containsEntry("comment", "all of it").doesNotContainKey("mine");
            assertThat(a.modified()).isEqualTo(Instant.ofEpochSecond(12, 500_000_000));
            assertThat(b.records()).containsEntry("comment", "all of it").containsEntry("mine", "yes");
            assertThat(b.modified()).isEqualTo(Instant.ofEpochSecond(1_700_000_000, 123_456_789));
        }
        try (TarStream stream = TarStream.open(folder.resolve("t.tar"))) {
            assertThat(stream.canStartAtEntry()).isTrue();
            assertThat(stream.advance()).isTrue();
            assertThat(stream.canStartAtEntry()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"gnu, base-256", "pax, PAX record"})
    void sizesBeyondOctalDigitsAreRead(String format, String how) throws Exception {
        // The content of such a file is never there: only the header is looked at.
        Programs.python(folder, """
                import sys, tarfile
                kind = {'gnu': tarfile.GNU_FORMAT, 'pax': tarfile.PAX_FORMAT}[sys.argv[1]]
                info = tarfile.TarInfo('huge')
                info.size = 20 << 30
                open('t.tar', 'wb').write(info.tobuf(kind))
                """, format);
        try (TarStream stream = TarStream.open(folder.resolve("t.tar"))) {
            assertThat(stream.advance()).as(how).isTrue();
            assertThat(stream.entry().byteSize()).isEqualTo(20L << 30);
        }
    }

    @Test
    void timesBefore1970InBase256AreRead() throws Exception {
        Programs.python(folder, """
                import tarfile
                info = tarfile.TarInfo('old')
                info.mtime = -86400
                with tarfile.open('t.tar', 'w', format=tarfile.GNU_FORMAT) as tar:
                    tar.addfile(info)
                """);
        try (TarArchive archive = TarArchive.open(folder.resolve("t.tar"))) {
            assertThat(archive.iterator().next().modified()).isEqualTo(Instant.parse("1969-12-31T00:00:00Z"));
        }
    }

    @Test
    void anEmptyArchiveHasNoEntries() throws Exception {
        Programs.python(folder, "import tarfile; tarfile.open('t.tar', 'w').close()");

        assertThat(TarArchive.over(Bytes.random(0, 1), TarEnd.OPTIONAL)).isEmpty();
        assertThat(inMemory(folder.resolve("t.tar"))).isEmpty();
    }

    @Test
    void whatIsWrittenIsReadByPython() throws Exception {
        List<String> names = List.of(
                "a",
                "dir/b.txt",
                "x".repeat(100),
                "x".repeat(101),
                "d".repeat(60) + "/" + "f".repeat(90),
                "p".repeat(155) + "/" + "q".repeat(100),
                "long/".repeat(60) + "name",
                "grüße.txt",
                "é".repeat(80));
        StringBuilder expected = new StringBuilder();
        Path path = folder.resolve("w.tar");
        try (TarWriter writer = TarWriter.create(path)) {
            for (int i = 0; i < names.size(); i++) {
                assertThat(writer.position() % 512).isZero();
                writer.add(names.get(i), Bytes.random(300 * i, i), Instant.ofEpochSecond(1_700_000_000 + i));
                expected.append(names.get(i))
                        .append(' ')
                        .append(300 * i)
                        .append(' ')
                        .append(1_700_000_000 + i)
                        .append('\n');
            }
        }

        String told = Programs.python(folder, """
                import sys, tarfile
                sys.stdout.reconfigure(encoding='utf-8')
                for m in tarfile.open('w.tar', errorlevel=2):
                    assert m.isreg() and m.mode == 0o644
                    assert len(tarfile.open('w.tar').extractfile(m).read()) == m.size
                    print(m.name, m.size, int(m.mtime))
                """);

        assertThat(told).isEqualTo(expected.toString());
        try (TarArchive archive = TarArchive.open(path)) {
            int i = 0;
            for (TarEntry entry : archive) {
                assertThat(entry.name()).isEqualTo(names.get(i));
                assertThat(archive.data(entry).mismatch(Bytes.random(300 * i, i)))
                        .isEqualTo(-1);
                i++;
            }
            assertThat(i).isEqualTo(names.size());
        }
        assertThat(names.get(7).getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(9);
    }
}
