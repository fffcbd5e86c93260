package org.jspdl.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against archives that Python's `zipfile` wrote, and the other way round.
class ZipArchiveTest {
    /// Member i has i * 1000 bytes, i modulo 251; every other one is deflated.
    private static final String WRITE = """
            import io, sys, zipfile
            comment, before, how = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
            class Pipe(io.RawIOBase):
                def __init__(self, file): self.file = file
                def writable(self): return True
                def write(self, data): return self.file.write(data)
            raw = open('t.zip', 'wb')
            raw.write(b'x' * before)
            with zipfile.ZipFile(Pipe(raw) if how == 'streamed' else raw, 'w') as z:
                for i in range(5):
                    info = zipfile.ZipInfo(f'dir/grüße-{i}' if how == 'unicode' else f'dir/member-{i}')
                    info.compress_type = zipfile.ZIP_DEFLATED if i % 2 else zipfile.ZIP_STORED
                    with z.open(info, 'w', force_zip64=how == 'zip64') as member:
                        member.write(bytes([i]) * 1000 * i)
                z.comment = b'c' * comment
            raw.close()
            """;

    @TempDir
    Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("t.zip");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, plain",
        "1, 0, plain",
        "4, 0, plain",
        "65535, 0, plain",
        "0, 100, plain",
        "3, 1, plain",
        "0, 0, zip64",
        "7, 9, zip64",
        "0, 0, streamed",
        "0, 0, unicode"
    })
    void everyMemberIsTheOneThatPythonWrote(String comment, String before, String how) throws Exception {
        Programs.python(folder, WRITE, comment, before, how);
        MemorySegment inHeap = MemorySegment.ofArray(Files.readAllBytes(path));

        try (ZipArchive mapped = ZipArchive.open(path);
                Arena arena = Arena.ofConfined()) {
            for (ZipArchive archive : new ZipArchive[] {mapped, ZipArchive.over(inHeap)}) {
                assertThat(archive.members()).hasSize(5);
                for (int i = 0; i < 5; i++) {
                    ZipMember member = archive.member((how.equals("unicode") ? "dir/grüße-" : "dir/member-") + i)
                            .orElseThrow();
                    MemorySegment expected =
                            MemorySegment.ofArray(new byte[1000 * i]).fill((byte) i);
                    assertThat(member.isStored()).isEqualTo(i % 2 == 0);
                    for (MemorySegment target : new MemorySegment[] {
                        arena.allocate(1000L * i + 1), MemorySegment.ofArray(new byte[1000 * i + 1])
                    }) {
                        archive.read(member, target);
                        assertThat(target.asSlice(0, 1000L * i).mismatch(expected))
                                .isEqualTo(-1);
                        assertThat(target.get(ValueLayout.JAVA_BYTE, 1000L * i)).isZero();
                    }
                    if (member.isStored()) {
                        archive.verify(member);
                        assertThat(archive.view(member).mismatch(expected)).isEqualTo(-1);
                    }
                }
            }
        }
    }

    @Test
    void manyMembersNeedZip64AndAreRead() throws Exception {
        Programs.python(folder, """
                import zipfile
                with zipfile.ZipFile('t.zip', 'w') as z:
                    for i in range(66000):
                        z.writestr(zipfile.ZipInfo(str(i)), b'')
                """);
        try (ZipArchive archive = ZipArchive.open(path)) {
            assertThat(archive.members()).hasSize(66_000).containsKey("65999");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 21, 22})
    void whatIsNoArchiveSaysSo(int size) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> ZipArchive.over(MemorySegment.ofArray(new byte[size])))
                .withMessageContaining("no zip archive, or a truncated one");
    }

    @Test
    void aTruncatedArchiveIsRefused() throws Exception {
        Programs.python(folder, WRITE, "0", "0", "plain");
        MemorySegment whole = MemorySegment.ofArray(Files.readAllBytes(path));

        for (long cut = 1; cut < whole.byteSize(); cut += 7) {
            MemorySegment part = Bytes.without(whole, cut);
            assertThatExceptionOfType(FormatException.class).isThrownBy(() -> ZipArchive.over(part));
        }
    }

    @ParameterizedTest
    @CsvSource({"member-2, its CRC-32 is", "member-3, member-3"})
    void damagedContentIsNoticed(String name, String reason) throws Exception {
        Programs.python(folder, WRITE, "0", "0", "plain");
        MemorySegment whole = MemorySegment.ofArray(Files.readAllBytes(path));
        ZipMember member = ZipArchive.over(whole).member("dir/" + name).orElseThrow();
        ZipArchive damaged = ZipArchive.over(Bytes.damaged(whole, member.headerOffset() + 30 + 12 + 3));

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(member.byteSize());
            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> damaged.read(member, target))
                    .withMessageContaining(reason);
        }
    }

    @Test
    void encryptionOtherMethodsAndLyingSizesAreRefused() throws Exception {
        Programs.python(folder, WRITE, "0", "0", "plain");
        MemorySegment whole = MemorySegment.ofArray(Files.readAllBytes(path));
        long directory = whole.byteSize() - 22 - 5 * (46 + 12);

        assertRefused(whole, directory + 8, (byte) 1, "encrypted");
        assertRefused(whole, directory + 10, (byte) 14, "compressed by method 14");
        MemorySegment lying = MemorySegment.ofArray(Bytes.of(whole));
        lying.set(ValueLayout.JAVA_BYTE, directory + 58 + 27, (byte) 0x7F);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> ZipArchive.over(lying))
                .withMessageContaining("which can't be");
    }

    private static void assertRefused(MemorySegment whole, long at, byte value, String reason) {
        MemorySegment changed = MemorySegment.ofArray(Bytes.of(whole));
        changed.set(ValueLayout.JAVA_BYTE, at, value);
        ZipArchive archive = ZipArchive.over(changed);
        ZipMember member = archive.members().firstEntry().getValue();

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> archive.read(member, MemorySegment.ofArray(new byte[10])))
                .withMessageContaining(reason);
        assertThatIllegalArgumentException().isThrownBy(() -> archive.view(member));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3000, Long.MAX_VALUE})
    void whatIsWrittenIsReadByPython(long zip64From) throws Exception {
        MemorySegment noise = Bytes.random(100_000, 1);
        MemorySegment flat = MemorySegment.ofArray(new byte[100_000]);
        try (ZipWriter writer = ZipWriter.create(path, zip64From)) {
            writer.add("stored", ZipWriter.Method.STORED, noise, flat);
            writer.add("grüße/deflated", ZipWriter.Method.DEFLATED, flat, noise);
            writer.add("empty", ZipWriter.Method.DEFLATED);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.add("empty", ZipWriter.Method.STORED))
                    .withMessageContaining("already");
        }

        assertThat(Programs.python(folder, """
                import zipfile
                z = zipfile.ZipFile('t.zip')
                print(z.testzip(), [(len(i.filename), i.file_size, i.compress_type) for i in z.infolist()])
                """)).isEqualTo("None [(6, 200000, 0), (14, 200000, 8), (5, 0, 8)]\n");
        try (ZipArchive archive = ZipArchive.open(path)) {
            MemorySegment target = MemorySegment.ofArray(new byte[200_000]);
            archive.read(archive.member("grüße/deflated").orElseThrow(), target);
            assertThat(target.mismatch(Bytes.joined(flat, noise))).isEqualTo(-1);
            assertThat(archive.view(archive.member("stored").orElseThrow()).mismatch(Bytes.joined(noise, flat)))
                    .isEqualTo(-1);
        }
    }

    @Test
    void aClosedWriterStaysClosed() throws IOException {
        ZipWriter writer = ZipWriter.create(path);
        writer.close();
        writer.close();

        assertThat(Files.size(path)).isEqualTo(22);
    }
}
