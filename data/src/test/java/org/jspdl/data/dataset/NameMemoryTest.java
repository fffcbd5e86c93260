package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspdl.data.internal.text.NameSorter;
import org.jspdl.data.internal.text.NameTable;
import org.jspdl.data.internal.text.TextOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Names outside the heap: what comes out is what went in, sorted by code points.
class NameMemoryTest {
    private static final String[] ALPHABET = {
        "a",
        "b",
        "/",
        "_",
        "0",
        "9",
        "é",
        "\u07FF",
        "\uD7FF",
        "\uE000",
        "\uFFFD",
        "\uFFFF",
        "\uD83D\uDE00",
        "\uDBFF\uDFFF",
        "n01440764_"
    };

    @TempDir
    Path folder;

    static IntStream seeds() {
        return IntStream.range(0, 60);
    }

    private static List<String> names(Random random) {
        List<String> names = new ArrayList<>();
        int count = random.nextInt(random.nextBoolean() ? 50 : 3_000);
        for (int i = 0; i < count; i++) {
            StringBuilder name = new StringBuilder();
            for (int length = random.nextInt(random.nextInt(8) == 0 ? 300 : 20); length > 0; length--) {
                name.append(ALPHABET[random.nextInt(ALPHABET.length)]);
            }
            names.add(name.toString());
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void namesAreSortedByCodePoints(int seed) {
        Random random = new Random(seed);
        try (NameSorter sorter = new NameSorter()) {
            for (int round = 0; round < 3; round++) {
                NameSorter.Mark below = sorter.mark();
                List<String> names = names(random);
                names.forEach(sorter::add);
                sorter.sort(below.count());
                List<String> sorted = new ArrayList<>(names);
                sorted.sort(TextOrder.BY_CODE_POINTS);
                assertThat(IntStream.range(below.count(), sorter.count()).mapToObj(sorter::name))
                        .as("seed %d", seed)
                        .containsExactlyElementsOf(sorted);
                if (round == 1) {
                    sorter.release(below);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyTextIsFoundByItsIndexWithItsNumber(int seed) {
        Random random = new Random(seed);
        List<String> names = names(random);
        if (random.nextBoolean()) {
            Collections.sort(names);
        }
        int[] numbers = random.ints(names.size(), 0, random.nextBoolean() ? 3 : Integer.MAX_VALUE)
                .toArray();
        NameTable.Builder builder = new NameTable.Builder();
        for (int i = 0; i < numbers.length; i++) {
            builder.add(names.get(i), numbers[i]);
        }
        NameTable table = builder.build();

        assertThat(table.size()).isEqualTo(names.size());
        assertThat(IntStream.range(0, numbers.length).mapToObj(table::text)).containsExactlyElementsOf(names);
        assertThat(IntStream.range(0, numbers.length).map(table::number).toArray())
                .containsExactly(numbers);
        int[] all = new int[numbers.length];
        table.numbers((index, number) -> all[(int) index] = number);
        assertThat(all).containsExactly(numbers);
        CRC32C sum = new CRC32C();
        names.forEach(name -> sum.update((name + "\n").getBytes(StandardCharsets.UTF_8)));
        assertThat(table.checksum()).isEqualTo(sum.getValue());
    }

    @Test
    void namesLikeThoseOfImageNetTakeAtMostFortyBytes() {
        NameTable.Builder builder = new NameTable.Builder();
        for (int label = 0; label < 100; label++) {
            for (int i = 0; i < 1_300; i++) {
                builder.add(String.format("n%08d/n%08d_%d.JPEG", label * 317, label * 317, i * 13), label);
            }
        }
        NameTable table = builder.build();

        assertThat(table.byteSize() / (double) table.size()).isLessThan(20);
    }

    /// Half a million lines took more than 64 MiB of heap.
    @Test
    void aListOfHalfAMillionFilesFitsASmallHeap() throws Exception {
        Path list = folder.resolve("train.txt");
        try (BufferedWriter lines = Files.newBufferedWriter(list)) {
            for (int i = 0; i < 500_000; i++) {
                lines.write("train/n" + (10_000_000 + i / 500) + "/n" + (10_000_000 + i / 500) + "_" + i
                        + ".JPEG\tclass-" + i / 500 + "\n");
            }
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OpenedFiles.class.getName(),
                        list.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("500000 files of 1000 classes").contains("n10000999_499999.JPEG 999");
    }
}
