package org.jspdl.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TarDamageTest {
    @TempDir
    Path folder;

    /// Two files of 700 and 10 bytes: headers at 0 and 1536, the end marker from 2560 on.
    private static MemorySegment archive() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TarWriter writer = TarWriter.over(Channels.newChannel(out))) {
            writer.add("first", Bytes.random(700, 1));
            writer.add("second", Bytes.random(10, 2));
        }
        return MemorySegment.ofArray(out.toByteArray());
    }

    private static int read(MemorySegment archive, TarEnd end) throws IOException {
        int viewed = 0;
        FormatException viewing = null;
        try {
            for (TarEntry entry : TarArchive.over(archive, end)) {
                assertThat(entry.name()).isNotEmpty();
                viewed++;
            }
        } catch (FormatException broken) {
            viewing = broken;
        }
        int streamed = 0;
        FormatException streaming = null;
        try (TarStream stream =
                TarStream.over(Channels.newChannel(new ByteArrayInputStream(Bytes.of(archive))), 0, end)) {
            while (stream.advance()) {
                streamed++;
            }
        } catch (FormatException broken) {
            streaming = broken;
        }
        if (viewing != null && streaming != null) {
            assertThat(streaming).hasMessage(viewing.getMessage());
            throw viewing;
        }
        assertThat(streaming).isEqualTo(viewing);
        assertThat(streamed).isEqualTo(viewed);
        return viewed;
    }

    @ParameterizedTest
    @CsvSource({
        "100,  ends within the header, 100, 0",
        "600,  within the content behind the header, 88, 0",
        "1211, within the content behind the header, 699, 0",
        "1700, ends within the header, 164, 1536",
        "2050, within the content behind the header, 2, 1536"
    })
    void aCutArchiveSaysWhereItEnds(long size, String where, long there, long header) throws IOException {
        MemorySegment cut = archive().asSlice(0, size);

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(cut, TarEnd.OPTIONAL))
                .withMessageContaining("truncated")
                .withMessageContaining(where + ", " + there + " of ")
                .satisfies(failure -> assertThat(failure.offset()).hasValue(header));
    }

    @Test
    void readingACutFileSaysHowMuchOfItIsThere() throws IOException {
        byte[] cut = Bytes.of(archive().asSlice(0, 1000));
        try (TarStream stream = TarStream.over(new ByteArrayInputStream(cut))) {
            assertThat(stream.advance()).isTrue();
            stream.read(MemorySegment.ofArray(new byte[100]));

            assertThatExceptionOfType(FormatException.class)
                    .isThrownBy(() -> stream.read(MemorySegment.ofArray(new byte[600])))
                    .withMessageContaining("behind the header, 488 of 700 bytes are there (at byte 0)");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1536, 1", "2560, 2"})
    void anArchiveCutBetweenEntriesIsTruncatedUnlessToldOtherwise(long size, int entries) throws IOException {
        MemorySegment cut = archive().asSlice(0, size);

        assertThat(read(cut, TarEnd.OPTIONAL)).isEqualTo(entries);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(cut, TarEnd.REQUIRED))
                .withMessageContaining("no end marker");
    }

    @Test
    void entriesBehindTheEndMarkerAreAnErrorAndOtherBytesAreNot() throws IOException {
        byte[] one = Bytes.of(archive());
        byte[] both = java.util.Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, both, one.length, one.length);
        byte[] padded = java.util.Arrays.copyOf(one, one.length + 20_000);
        java.util.Arrays.fill(padded, one.length + 700, padded.length, (byte) 7);

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(MemorySegment.ofArray(both), TarEnd.REQUIRED))
                .withMessageContaining("more entries behind the end marker")
                .satisfies(failure -> assertThat(failure.offset()).hasValue(one.length));
        assertThat(read(MemorySegment.ofArray(padded), TarEnd.REQUIRED)).isEqualTo(2);
    }

    @Test
    void oneBlockOfZerosIsAnEnd() throws IOException {
        assertThat(read(archive().asSlice(0, 3072), TarEnd.REQUIRED)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"0", "99", "130", "150", "156", "257", "511"})
    void aHeaderWithOneWrongByteIsDamaged(long at) throws IOException {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(Bytes.damaged(archive(), 1536 + at), TarEnd.REQUIRED))
                .withMessage("TAR: the header is damaged: its checksum is wrong (at byte 1,536)");
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(Bytes.damaged(archive(), at), TarEnd.REQUIRED))
                .withMessageEndingWith("or this is no TAR archive (at byte 0)");
    }

    @Test
    void anOldChecksumOfSignedBytesIsAccepted() throws Exception {
        Programs.python(folder, """
                import tarfile
                buf = bytearray(tarfile.TarInfo('gr\\u00fc\\u00dfe').tobuf(tarfile.USTAR_FORMAT, 'latin-1', 'strict'))
                signed = 256 + sum(b - 256 if b > 127 else b for b in buf[:148] + buf[156:512])
                assert signed != 256 + sum(buf[:148] + buf[156:512])
                buf[148:156] = b'%06o\\0 ' % signed
                open('t.tar', 'wb').write(buf + bytes(1024))
                """);

        assertThat(read(MemorySegment.ofArray(Files.readAllBytes(folder.resolve("t.tar"))), TarEnd.REQUIRED))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "S, {},                                sparse",
        "M, {},                                several volumes",
        "0, {'GNU.sparse.major': '1'},         sparse",
        "0, {'size': '-5'},                    a size of '-5'",
        "0, {'size': '99999999999999999999'},  a size of '99999999999999999999'"
    })
    void whatIsNotSupportedIsRefused(char type, String records, String reason) throws Exception {
        Programs.python(folder, """
                import ast, sys, tarfile
                info = tarfile.TarInfo('a')
                info.type = sys.argv[1].encode()
                info.pax_headers = ast.literal_eval(sys.argv[2])
                open('t.tar', 'wb').write(info.tobuf(tarfile.PAX_FORMAT) + bytes(1024))
                """, String.valueOf(type), records);
        MemorySegment archive = MemorySegment.ofArray(Files.readAllBytes(folder.resolve("t.tar")));

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(archive, TarEnd.REQUIRED))
                .withMessageContaining(reason);
    }

    @Test
    void anExtraHeaderWithoutItsEntryIsTruncated() throws Exception {
        Programs.python(folder, """
                import tarfile
                info = tarfile.TarInfo('x' * 300)
                buf = info.tobuf(tarfile.GNU_FORMAT)
                open('t.tar', 'wb').write(buf[:1024])
                """);
        MemorySegment archive = MemorySegment.ofArray(Files.readAllBytes(folder.resolve("t.tar")));

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> read(archive, TarEnd.OPTIONAL))
                .withMessageContaining("between the headers of an entry (at byte 0)");
    }

    @Test
    void namesThatNoFileHasAreNotWritten() throws IOException {
        try (TarWriter writer = TarWriter.create(folder.resolve("t.tar"))) {
            for (String name : new String[] {"", "folder/", "a\0b"}) {
                assertThatIllegalArgumentException().isThrownBy(() -> writer.add(name, MemorySegment.NULL));
            }
        }
    }
}
