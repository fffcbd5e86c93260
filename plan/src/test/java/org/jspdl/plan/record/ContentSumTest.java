package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;

class ContentSumTest {
    private record Sample(int number, String text) {}

    private static NamedValues batch(Tensor tensor, long[] labels, List<?> texts) {
        LinkedHashMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("image", tensor);
        fields.put("label", labels);
        fields.put("text", texts);
        return () -> fields;
    }

    @Test
    void oneChangedSampleIsFoundWhicheverOfItsFieldsChanged() {
        Random random = new Random(7);
        int rows = 40;
        try (BufferPool pool = BufferPool.unbounded("rows");
                Tensor tensor = Tensor.allocate(ElementType.UINT8, Shape.of(rows, 3, 5), pool)) {
            byte[] bytes = new byte[rows * 15];
            random.nextBytes(bytes);
            tensor.segment().copyFrom(java.lang.foreign.MemorySegment.ofArray(bytes));
            long[] labels = random.longs(rows).toArray();
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                texts.add("text " + i);
            }
            ContentSum sum = ContentSum.of(batch(tensor, labels, texts));
            assertThat(sum).isEqualTo(ContentSum.of(batch(tensor, labels.clone(), List.copyOf(texts))));
            for (int row = 0; row < rows; row++) {
                labels[row]++;
                ContentSum label = ContentSum.of(batch(tensor, labels, texts));
                labels[row]--;
                texts.set(row, texts.get(row) + "!");
                ContentSum text = ContentSum.of(batch(tensor, labels, texts));
                texts.set(row, "text " + row);
                bytes[row * 15 + random.nextInt(15)] ^= (byte) (1 << random.nextInt(8));
                tensor.segment().copyFrom(java.lang.foreign.MemorySegment.ofArray(bytes));
                ContentSum image = ContentSum.of(batch(tensor, labels, texts));

                assertThat(sum.changedRow(label, rows)).isEqualTo(OptionalInt.of(row));
                assertThat(sum.changedRow(text, rows)).isEqualTo(OptionalInt.of(row));
                assertThat(sum.changedRow(image, rows)).isEqualTo(OptionalInt.of(row));
                sum = image;
            }
        }
    }

    @Test
    void severalChangedSamplesAndExchangedOnesAreNoticed() {
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            int rows = 2 + random.nextInt(60);
            long[] values = random.longs(rows).toArray();
            ContentSum sum = ContentSum.of(values);
            int first = random.nextInt(rows);
            int second = (first + 1 + random.nextInt(rows - 1)) % rows;
            long kept = values[first];
            values[first] = values[second];
            values[second] = kept;

            ContentSum now = ContentSum.of(values);
            assertThat(now).isNotEqualTo(sum);
            assertThat(sum.changedRow(now, rows)).isEmpty();
        }
    }

    @Test
    void otherTypesAndShapesOfTheSameBytesAreNoticed() {
        try (BufferPool pool = BufferPool.unbounded("rows");
                Tensor flat = Tensor.allocate(ElementType.UINT8, Shape.of(4, 6), pool);
                Tensor square = Tensor.allocate(ElementType.UINT8, Shape.of(4, 2, 3), pool);
                Tensor signed = Tensor.allocate(ElementType.INT8, Shape.of(4, 6), pool)) {
            for (Tensor each : List.of(flat, square, signed)) {
                each.segment().fill((byte) 1);
            }
            ContentSum sum = ContentSum.of(flat);

            assertThat(sum.changedRow(ContentSum.of(square), 4)).isEqualTo(OptionalInt.of(4));
            assertThat(sum.changedRow(ContentSum.of(signed), 4)).isEqualTo(OptionalInt.of(4));
        }
    }

    @Test
    void recordsMapsAndSetsCountByWhatTheyHold() {
        List<Object> items = List.of(
                new Sample(1, "a"),
                new Sample(2, "a"),
                new Sample(1, "b"),
                Map.of("a", 1, "b", 2),
                Map.of("a", 2, "b", 1),
                Set.of(1, 2, 3),
                Set.of(1, 2, 4),
                List.of(1, 2, 3),
                List.of(1, List.of(2, 3)),
                "1",
                1,
                1.0,
                true,
                new int[] {1},
                new long[] {1});

        assertThat(items.stream().map(ContentSum::of).distinct())
                .hasSize(items.size())
                .doesNotContain(ContentSum.NONE);
        assertThat(ContentSum.of(Map.of("b", 2, "a", 1))).isEqualTo(ContentSum.of(Map.of("a", 1, "b", 2)));
        assertThat(ContentSum.of(List.of(new Object()))).isEqualTo(ContentSum.NONE);
    }
}
