package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.archive.TarWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shards whose texts are not quite what their formats ask for, as other programs write them.
class ForeignTextTest {
    private static final String LATIN_TAR = """
            import io, tarfile
            with tarfile.open('latin.tar', 'w', format=tarfile.USTAR_FORMAT, encoding='latin-1') as tar:
                for name in ['caf\\xe8.jpg', 'caf\\xe9.jpg', '\\xe4' * 90 + '.jpg']:
                    info = tarfile.TarInfo(name)
                    info.size = 1
                    tar.addfile(info, io.BytesIO(b'x'))
            """;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("texts", 1 << 24);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private interface Shown {
        String of(ShardSample sample);
    }

    private List<String> samples(Path file, Shown shown) throws Exception {
        List<String> all = new ArrayList<>();
        try (Cursor<ShardSample> cursor = Shards.shard(storage, file.toString(), ShardOptions.defaults(), pool)
                .open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    all.add(shown.of(sample));
                }
            }
        }
        return all;
    }

    @Test
    void jsonLinesMayHaveAByteOrderMarkAndPythonsNaN() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.jsonl"),
                "\uFEFF{\"a\": NaN, \"b\": [1, -Infinity, {\"c\": Infinity}]}\n{\"a\": 2, \"b\": null}\n");

        assertThat(samples(file, sample -> sample.text("a"))).containsExactly("NaN", "2");
        assertThat(samples(file, sample -> sample.has("b") ? sample.text("b") : "none"))
                .containsExactly("[1, -Infinity, {\"c\": Infinity}]", "none");
        assertThat(Shards.inspect(storage, file.toString(), pool)
                        .fields()
                        .getFirst()
                        .kind())
                .isEqualTo("number or whole number");
    }

    /// Letters that nobody wrote are worse than an error.
    @Test
    void whatIsNoTextIsRefusedByName() throws Exception {
        Path latin = folder.resolve("latin.tar");
        try (TarWriter tar = TarWriter.create(latin)) {
            tar.add("a.txt", MemorySegment.ofArray("caf\u00E9 \uFFFD".getBytes(StandardCharsets.UTF_8)));
            tar.add("b.txt", MemorySegment.ofArray("caf\u00E9".getBytes(StandardCharsets.ISO_8859_1)));
        }
        List<String> read = new ArrayList<>();
        assertThatThrownBy(() -> samples(latin, sample -> {
                    read.add(sample.text("txt"));
                    return "";
                }))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("latin.tar")
                .hasMessageContaining("('b'): the field 'txt' is not UTF-8");
        assertThat(read).containsExactly("caf\u00E9 \uFFFD");

        Path numbers = folder.resolve("numbers.npy");
        Npy.write(numbers, ArrayView.of(ElementType.INT64, Shape.of(1), MemorySegment.ofArray(new long[] {65})));
        assertThatThrownBy(() -> samples(numbers, sample -> sample.text("array")))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("the field 'array' is no text but INT64");
    }

    @Test
    void namesInLatin1StayDifferentSamples() throws Exception {
        Programs.python(folder, LATIN_TAR);

        assertThat(samples(folder.resolve("latin.tar"), ShardSample::key))
                .containsExactly("caf\u00e8", "caf\u00e9", "\u00e4".repeat(90));
    }
}
