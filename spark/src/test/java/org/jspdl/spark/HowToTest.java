package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of the how-to, as they are written there.
@Tag("slow")
class HowToTest {
    private static final Pattern PROGRAM = Pattern.compile("```java spark\\n(.*?class (\\w+) .*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        LocalSession.get();
    }

    /// What a program prints.
    private String run(String name, String... arguments) throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> command = new ArrayList<>(
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")));
        Matcher program = PROGRAM.matcher(Files.readString(Path.of("../docs/how-to/spark.md")));
        while (program.find()) {
            Path source = folder.resolve(program.group(2) + ".java");
            command.add(Files.writeString(source, program.group(1)).toString());
        }
        assertThat(command).anyMatch(each -> each.endsWith("/" + name + ".java"));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)))
                .isZero();

        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
                PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            var main = loader.loadClass(name).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) arguments);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void photosAreCountedByClass() throws Exception {
        run("ReadPhotos", Datasets.files(folder.resolve("photos"), 9).toString());

        assertThat(LocalSession.get().table("photos").count()).isEqualTo(9);
    }

    @Test
    void photosArePacked() throws Exception {
        Path shards = folder.resolve("shards");

        run("PackPhotos", Datasets.files(folder.resolve("photos"), 9).toString(), shards.toString());

        assertThat(shards.resolve("shards-000000.tar")).isRegularFile();
        assertThat(shards.resolve("shards.shards.json")).isRegularFile();
    }

    @Test
    void aPlanIsRun() throws Exception {
        Pictures.paint(folder, 9);
        Path plan = Files.writeString(folder.resolve("plan.yaml"), Pictures.PLAN);

        run("RunPlan", plan.toString(), folder.resolve("resized").toString());

        assertThat(folder.resolve("resized/resized-000000.tar")).isRegularFile();
    }

    @Test
    void whatAPlanMakesIsCounted() throws Exception {
        Pictures.paint(folder, 9);
        Path plan = Files.writeString(folder.resolve("plan.yaml"), Pictures.PLAN);

        assertThat(run("ReadPlan", plan.toString())).endsWith("6" + System.lineSeparator());
    }

    @Test
    void shardsAreCountedAsTheyArrive() throws Exception {
        Path shards = Datasets.shards(Datasets.files(folder.resolve("photos"), 9), folder.resolve("shards"), 4);

        assertThat(run(
                        "CountAsTheyArrive",
                        shards.toString(),
                        folder.resolve("checkpoint").toString()))
                .isEqualTo("0: 9" + System.lineSeparator());
    }

    @Test
    void arraysArePrinted() throws Exception {
        Path file = folder.resolve("rows.npy");
        Npy.write(file, ArrayView.of(ElementType.FLOAT32, Shape.of(2, 2), MemorySegment.ofArray(new float[] {1, 2, 3, 4
        })));

        assertThat(run("ReadArrays", file.toString()))
                .contains("[2] ")
                .contains("3.0, 4.0")
                .hasLineCount(2);
    }
}
