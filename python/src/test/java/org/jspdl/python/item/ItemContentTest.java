package org.jspdl.python.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ItemContentTest {
    private static final long ODD = (1L << 53) + 1;

    private static double[] floats(List<?> numbers) {
        ItemContent content = ItemContent.of(numbers);
        assertThat(content.structure()).isEqualTo("{\"t\":[\"FLOAT64\",[" + numbers.size() + "]]}");
        MemorySegment bytes = content.pieces().getFirst().bytes();
        return bytes.toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED);
    }

    @Test
    void numbersOfSeveralKindsAreAnArrayOfTheirValues() {
        assertThat(floats(List.of(1L << 53, 0.5, 0.25f, (short) 3, BigInteger.TWO.pow(70), new BigDecimal("0.1"))))
                .containsExactly(0x1p53, 0.5, 0.25, 3, 0x1p70, 0.1);
    }

    @Test
    void aWholeNumberThatWouldBecomeAnotherIsRefused() {
        for (Number number : List.of(
                ODD,
                -ODD,
                Long.MAX_VALUE,
                BigInteger.valueOf(ODD),
                BigInteger.TWO.pow(64).subtract(BigInteger.ONE),
                BigInteger.TEN.pow(400),
                BigDecimal.valueOf(ODD),
                new BigDecimal(ODD + ".0"),
                new BigDecimal("1e400"))) {
            assertThatThrownBy(() -> ItemContent.of(List.of(0.5, number)))
                    .as("%s", number)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("as float64 " + number + " would be another number");
        }
    }

    @Test
    void noWholeNumberBesideAFloatBecomesAnother() {
        Random random = new Random(4);
        int kept = 0;
        for (int i = 0; i < 2_000; i++) {
            long number = random.nextLong() >> random.nextInt(64) << random.nextInt(12);
            double[] array;
            try {
                array = floats(List.of(number, 0.5));
            } catch (IllegalArgumentException refused) {
                assertThat(new BigDecimal((double) number)).isNotEqualByComparingTo(BigDecimal.valueOf(number));
                continue;
            }
            assertThat(new BigDecimal(array[0])).isEqualByComparingTo(BigDecimal.valueOf(number));
            kept++;
        }
        assertThat(kept).isBetween(1_000, 1_999);
    }

    @Test
    void aNumberAloneThatNoFloatHoldsIsRefused() {
        assertThat(ItemContent.of(new BigDecimal("12345678901234567890")).values())
                .isEqualTo("[12345678901234567890]");
        assertThatThrownBy(() -> ItemContent.of(Map.of("x", new BigDecimal("1e400"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1E+400 cannot be handed over to Python");
    }

    @Test
    void aMapOfWhichPythonWouldLoseAnEntryIsRefused() {
        Map<Object, Object> map = new HashMap<>();
        map.put(1, "a number");
        map.put("1", "a text");

        assertThatThrownBy(() -> ItemContent.of(map))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two keys that are written '1'");
    }
}
