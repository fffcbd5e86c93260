package org.jspdl.data.dataset;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that SciPy's `savemat` wrote: `write.py` beside them says what they hold.
class MatTableTest {
    static byte[] file(String name) throws IOException {
        try (InputStream file = requireNonNull(MatTableTest.class.getResourceAsStream("/imagenet/" + name))) {
            return file.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"meta.mat", "meta-plain.mat"})
    void rowsHaveTheTextsAndNumbersThatWereWritten(String name) throws IOException {
        List<Map<String, Object>> rows = MatTable.read(file(name), "synsets");

        assertThat(rows).hasSize(6);
        assertThat(rows.getFirst())
                .containsEntry("ILSVRC2012_ID", 1.0)
                .containsEntry("WNID", "n02119789")
                .containsEntry("words", "kit fox, Vulpes macrotis")
                .containsEntry("num_children", 0.0)
                .containsEntry("num_train_images", 1300.0)
                .doesNotContainKey("children");
        assertThat(rows).extracting(row -> row.get("WNID")).endsWith("n02123045", "n02075296");
        assertThat(rows.getLast()).containsEntry("num_children", 2.0).doesNotContainKey("children");
    }

    @Test
    void whatIsNoSuchFileSaysWhy() throws IOException {
        assertThatThrownBy(() -> MatTable.read(new byte[10], "synsets"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no more than 10 bytes");
        assertThatThrownBy(() -> MatTable.read(new byte[500], "synsets")).hasMessageContaining("no MAT file");
        byte[] whole = file("meta.mat");
        assertThatThrownBy(() -> MatTable.read(whole, "others")).hasMessageContaining("no table 'others'");
    }

    /// Any other exception would be one.
    @ParameterizedTest
    @ValueSource(strings = {"meta.mat", "meta-plain.mat"})
    void damageIsRefusedOrPassedOverAndNothingElse(String name) throws IOException {
        byte[] whole = file(name);
        for (int length = 0; length < whole.length; length++) {
            assertReadOrRefused(Arrays.copyOf(whole, length));
        }
        for (int at = 124; at < whole.length; at++) {
            for (int change : new int[] {0x01, 0x40, 0x80, 0xFF}) {
                byte[] damaged = whole.clone();
                damaged[at] ^= (byte) change;
                assertReadOrRefused(damaged);
            }
        }
    }

    private static void assertReadOrRefused(byte[] file) {
        try {
            assertThat(MatTable.read(file, "synsets")).isNotNull();
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).containsPattern("^(it|an?) ");
        }
    }
}
