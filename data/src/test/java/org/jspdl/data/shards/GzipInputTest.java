package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipInputTest {
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("gzip", 1 << 24);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private ShardFile file(byte... content) throws IOException {
        Path file = Files.write(folder.resolve("a.gz"), content);
        return new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool);
    }

    private static byte[] all(ShardFile file) throws IOException {
        try (GzipInput gzip = GzipInput.open(file)) {
            return gzip.readAllBytes();
        }
    }

    private static byte[] member(byte... content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /// Also members of nothing, and headers that lie across the end of a buffer.
    @Test
    void membersOfEverySizeAreReadOneBehindTheOther() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        ByteArrayOutputStream gzipped = new ByteArrayOutputStream();
        for (int i = 0; i < 400; i++) {
            byte[] content = new byte[random.nextInt(i % 3 == 0 ? 3 : 4000)];
            random.nextBytes(content);
            plain.writeBytes(content);
            gzipped.writeBytes(member(content));
        }
        assertThat(all(file(gzipped.toByteArray()))).isEqualTo(plain.toByteArray());
        assertThat(all(file(join(gzipped.toByteArray(), new byte[100_000])))).isEqualTo(plain.toByteArray());
    }

    @Test
    void headersWithEverythingThatTheyMayHaveAreRead() throws Exception {
        byte[] deflated = member("content".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        byte[] head = {0x1f, (byte) 0x8b, 8, 0b1_1111, 1, 2, 3, 4, 0, 3, 3, 0, 'x', 'y', 'z', 'n', 0, 'c', 'c', 0};
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(head);
        byte[] checksum = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
        byte[] rest = Arrays.copyOfRange(deflated, 10, deflated.length);
        assertThat(all(file(join(head, checksum, rest)))).asString().isEqualTo("content");
        assertThat(all(file(Programs.output(folder, java.util.List.of("python3", "-c", """
                import gzip, sys
                sys.stdout.buffer.write(gzip.compress(b'one') + gzip.compress(b'two'))""")))))
                .asString()
                .isEqualTo("onetwo");
        checksum[0]++;
        assertBroken(join(head, checksum, rest), "the checksum of a header is wrong");
    }

    private void assertBroken(byte[] content, String how) throws IOException {
        ShardFile file = file(content);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> all(file))
                .withMessageContaining("gzip: the file is truncated or corrupt: ")
                .withMessageContaining(how);
    }

    @Test
    void whatStandsBehindAMemberIsNoEnd() throws Exception {
        byte[] one = member(new byte[1000]);
        byte[] two = member(new byte[2000]);
        assertBroken(join(one, new byte[] {1}), "where a member begins");
        assertBroken(join(one, new byte[] {0x1f, 0x1f}), "where a member begins");
        byte[] unknown = two.clone();
        unknown[2] = 9;
        assertBroken(join(one, unknown), "in a way that is not known");
        for (int length = 1; length < two.length; length++) {
            assertBroken(join(one, Arrays.copyOf(two, length)), "");
        }
        for (int at = 0; at < 8; at++) {
            byte[] wrong = two.clone();
            wrong[two.length - 1 - at] ^= 4;
            assertBroken(join(one, wrong, one), "the checksum or the size behind its data is wrong");
        }
        assertBroken(new byte[0], "it ends before");
    }

    /// The JDK's stream takes such a failure for the end of the file.
    @Test
    void aFailureToReadTheNextMemberIsOne() throws Exception {
        byte[] one = member(new byte[1000]);
        SeekableByteChannel there = Files.newByteChannel(Files.write(folder.resolve("b.gz"), one));
        SeekableByteChannel fails = new FailingChannel(there);
        try (GzipInput gzip = GzipInput.over(fails, file(one))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(gzip::readAllBytes)
                    .withMessage("the storage is away");
        }
        assertThat(there.isOpen()).isFalse();
        assertThat(Channels.newInputStream(there)).isNotNull();
    }

    /// Fails where the file ends.
    private record FailingChannel(SeekableByteChannel file) implements SeekableByteChannel {
        @Override
        public int read(ByteBuffer target) throws IOException {
            int read = file.read(target);
            if (read < 0) {
                throw new IOException("the storage is away");
            }
            return read;
        }

        @Override
        public int write(ByteBuffer source) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public SeekableByteChannel position(long position) throws IOException {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public SeekableByteChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
