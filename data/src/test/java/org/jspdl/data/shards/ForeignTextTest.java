package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
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

    @Test
    void namesInLatin1StayDifferentSamples() throws Exception {
        Programs.python(folder, LATIN_TAR);

        assertThat(samples(folder.resolve("latin.tar"), ShardSample::key))
                .containsExactly("caf\u00e8", "caf\u00e9", "\u00e4".repeat(90));
    }
}
