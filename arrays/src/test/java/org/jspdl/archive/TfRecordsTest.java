package org.jspdl.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Against a file made from the format's description: resources/tfrecord/make.py says how.
class TfRecordsTest {
    private static final MemorySegment FILE = Bytes.resource("tfrecord/records.tfrecord");

    private static List<byte[]> viewed(MemorySegment file) {
        List<byte[]> records = new ArrayList<>();
        TfRecords.over(file).forEach(record -> records.add(Bytes.of(record)));
        return records;
    }

    private static List<byte[]> streamed(MemorySegment file) throws IOException {
        List<byte[]> records = new ArrayList<>();
        try (TfRecordStream stream =
                TfRecordStream.over(Channels.newChannel(new ByteArrayInputStream(Bytes.of(file))), 0)) {
            while (stream.advance()) {
                MemorySegment content = MemorySegment.ofArray(new byte[(int) stream.byteSize()]);
                stream.read(content);
                records.add(Bytes.of(content));
            }
        }
        return records;
    }

    @Test
    void everyRecordIsRead() throws IOException {
        assertThat(viewed(FILE)).hasSize(4);
        assertThat(viewed(FILE).get(2)).isEqualTo("The quick brown fox".getBytes(StandardCharsets.US_ASCII));
        assertThat(viewed(FILE).get(3)).hasSize(1280).endsWith(254, 255);
        assertThat(streamed(FILE)).usingRecursiveComparison().isEqualTo(viewed(FILE));
        assertThat(viewed(MemorySegment.NULL)).isEmpty();
    }

    @Test
    void recordsThatAreNotReadArePassed() throws IOException {
        try (TfRecordStream stream =
                TfRecordStream.over(Channels.newChannel(new ByteArrayInputStream(Bytes.of(FILE))), 0)) {
            List<Long> offsets = new ArrayList<>();
            while (stream.advance()) {
                offsets.add(stream.offset());
            }
            assertThat(offsets).containsExactly(0L, 16L, 33L, 68L);
            assertThat(stream.nextOffset()).isEqualTo(FILE.byteSize());
        }
    }

    /// The third record has its header from byte 33, its content from 45, its last checksum from 64 on.
    @ParameterizedTest
    @CsvSource({
        "33, the length of the record is damaged",
        "43, the length of the record is damaged",
        "50, the content of the record of 19 bytes is damaged",
        "66, the content of the record of 19 bytes is damaged"
    })
    void aWrongByteIsNoticed(long at, String reason) {
        MemorySegment damaged = Bytes.damaged(FILE, at);

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> viewed(damaged))
                .withMessageContaining(reason)
                .withMessageEndingWith("(at byte 33)");
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> streamed(damaged))
                .withMessageContaining(reason)
                .withMessageEndingWith("(at byte 33)");
    }

    @ParameterizedTest
    @CsvSource({"34", "44", "45", "60", "67"})
    void aTruncatedFileIsNoticed(long size) {
        MemorySegment cut = FILE.asSlice(0, size);

        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> viewed(cut))
                .withMessageContaining("truncated: the record takes")
                .withMessageEndingWith("(at byte 33)");
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> streamed(cut))
                .withMessageContaining("truncated: the record takes")
                .withMessageEndingWith("(at byte 33)");
    }
}
