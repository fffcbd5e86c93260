package org.jspdl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Guessing is right for 10 % of the sample photographs.
class FrameworkExamplesTest {
    private static final int PHOTOGRAPHS = 400;

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeTheSampleDataset() throws Exception {
        new SampleSet(PHOTOGRAPHS, 2012).write(folder, 2, _ -> {});
    }

    @Test
    @Tag("slow")
    void djlLearnsTheClassesOfPhotographs() throws Exception {
        String printed = Printed.by(() -> TrainWithDjl.main(new String[] {folder.toString(), "6"}));

        Matcher accuracy = found("accuracy ([0-9.]+) % on 80 photographs of 10 classes", printed);
        assertThat(Double.parseDouble(accuracy.group(1))).isGreaterThan(30);
        found(
                "a step takes [0-9.]+ ms, and [0-9.]+ ms with batches that are kept: the data costs [0-9]+ % of it",
                printed);
    }

    @Test
    void onnxRuntimeClassifiesPhotographs(@TempDir Path models) throws Exception {
        String model = models.resolve("classes.onnx").toString();

        String printed = Printed.by(() -> ClassifyWithOnnx.main(new String[] {folder.toString(), model}));

        Matcher right = found("80 photographs of 10 classes, ([0-9.]+) % right", printed);
        assertThat(Double.parseDouble(right.group(1))).isGreaterThan(30);
    }

    private static Matcher found(String pattern, String printed) {
        Matcher matcher = Pattern.compile(pattern).matcher(printed);
        assertThat(matcher.find()).as("'%s' in: %s", pattern, printed).isTrue();
        return matcher;
    }
}
