package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DescriptionTest {
    private static Description of(long rowBytes, long places, int most) {
        return new Description(
                "snapshot", "order", 3, "image", "decode", rowBytes, Map.of("a", "1"), places, most, 4, List.of("cat"));
    }

    @Test
    void whatAWorkerWritesIsRead() {
        Description served = of(150_528, 1_281_167, 256);

        assertThat(Description.parse(served.toJson())).isEqualTo(served);
    }

    @Test
    void absurdNumbersAreRefusedBeforeMemoryIsLeasedForThem() {
        for (Description absurd : List.of(
                of(Long.MAX_VALUE, 10, 1),
                of((4L << 30) + 1, 10, 1),
                of(0, 10, 1),
                of(-1, 10, 1),
                of(1, -1, 1),
                of(1, Long.MAX_VALUE, 1),
                of(1, 10, 0),
                of(1, 10, Integer.MIN_VALUE))) {
            assertThatThrownBy(() -> Description.parse(absurd.toJson()))
                    .as("%s", absurd)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bytes of an image");
        }
        assertThatThrownBy(() -> Description.parse(
                        of(1, 10, 1).toJson().replace("\"most_places\":1", "\"most_places\":4294967297")))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void aDescriptionThatContradictsItselfIsRefused() {
        assertThatThrownBy(
                        () -> Description.parse(of(1, 10, 1).toJson().replace("\"snapshot\":\"s", "\"snapshot\":\"t")))
                .hasMessageContaining("fingerprint is not that");
    }
}
