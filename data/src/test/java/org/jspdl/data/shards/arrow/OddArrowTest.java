package org.jspdl.data.shards.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is hardly ever written, by pyarrow: `resources/arrow/odd.py`.
class OddArrowTest {
    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("arrow", 1 << 24);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private static byte[] resource(String name) throws Exception {
        try (InputStream in = requireNonNull(OddArrowTest.class.getResourceAsStream("/arrow/" + name))) {
            return in.readAllBytes();
        }
    }

    private List<String> numbers(String name, byte[] content) throws Exception {
        Path file = Files.write(folder.resolve(name), content);
        List<String> all = new ArrayList<>();
        try (Cursor<ShardSample> rows = Shards.shard(
                        storage, file.toString(), ShardOptions.defaults().columns("x"), pool)
                .open(0, Position.START)) {
            while (rows.advance()) {
                try (ShardSample row = rows.item()) {
                    all.add(row.has("x") ? Long.toString(row.number("x")) : "null");
                }
            }
        }
        return all;
    }

    @Test
    void columnsBehindUnionsOfVersion4AreReadFromTheirPlace() throws Exception {
        assertThat(numbers("a.arrow", resource("union-v4.arrow"))).containsExactly("1", "null", "3");
    }

    @Test
    void placesInADictionaryThatIsMissingAreNotTakenForValues() throws Exception {
        byte[] lost = resource("lost.arrows");
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> numbers("a.arrows", lost))
                .withMessageContaining("names value 2, which its dictionary is not there to tell");
    }

    @Test
    void aStreamBehindAnotherIsRefused() throws Exception {
        byte[] one = resource("plain.arrows");
        assertThat(numbers("one.arrows", one)).containsExactly("1", "2", "3");
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(one);
        both.writeBytes(one);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> numbers("both.arrows", both.toByteArray()))
                .withMessageContaining("behind the end of the stream there is another one");
    }
}
