package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.spark.SparkSubmit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `spark` with a stand-in for spark-submit that says what it was told.
class SparkCommandTest extends CommandTest {
    @TempDir
    Path folder;

    @BeforeEach
    void layOut() throws Exception {
        Path submit = Files.createDirectories(folder.resolve("spark/bin")).resolve("spark-submit");
        Files.writeString(submit, "#!/bin/sh\nprintf '%s\\n' \"$@\"\necho \"java $JAVA_HOME\" >&2\nexit 7\n");
        assertThat(submit.toFile().setExecutable(true)).isTrue();
        Files.createDirectories(folder.resolve("jars"));
        for (String jar : List.of("jspdl-data-1.jar", "jspdl-spark-1.jar", "jspdl-core-1.jar")) {
            Files.writeString(folder.resolve("jars").resolve(jar), "");
        }
        Files.writeString(folder.resolve("plan.yaml"), "source: {indices: {size: 3}}\n");
    }

    private void spark(Map<String, String> environment, Object... more) {
        jspdl(
                environment,
                java.util.stream.Stream.concat(
                                List.<Object>of("spark", folder.resolve("plan.yaml")).stream(), List.of(more).stream())
                        .toList());
    }

    @Test
    void aPlanIsSubmittedToTheUsersSpark() {
        Map<String, String> environment =
                Map.of("SPARK_HOME", folder.resolve("spark").toString());

        spark(
                environment,
                "--to",
                folder.resolve("out"),
                "--master",
                "local[2]",
                "--samples",
                "50",
                "--format",
                "mds",
                "--jars",
                folder.resolve("jars"),
                "--overwrite");

        assertThat(code).isEqualTo(7);
        Path jars = folder.resolve("jars");
        assertThat(out.lines())
                .containsExactly(
                        "--class",
                        "org.jspdl.spark.PlanMain",
                        "--master",
                        "local[2]",
                        "--jars",
                        jars.resolve("jspdl-core-1.jar") + "," + jars.resolve("jspdl-data-1.jar"),
                        jars.resolve("jspdl-spark-1.jar").toString(),
                        folder.resolve("plan.yaml").toString(),
                        "--to",
                        folder.resolve("out").toString(),
                        "--samples",
                        "50",
                        "--format",
                        "mds",
                        "--task-memory",
                        "64",
                        "--overwrite");
        assertThat(err).isEqualTo("java " + System.getProperty("java.home") + "\n");
    }

    @Test
    void anObjectStoreIsNamedToItAsItIs() {
        Map<String, String> environment =
                Map.of("SPARK_HOME", folder.resolve("spark").toString());

        spark(environment, "--to", "s3://bucket/resized", "--jars", folder.resolve("jars"));

        assertThat(code).isEqualTo(7);
        assertThat(out.lines()).containsSequence("--to", "s3://bucket/resized");
    }

    @Test
    void workersAreSubmittedToTheUsersSpark() {
        jspdl(
                Map.of("SPARK_HOME", folder.resolve("spark").toString()),
                List.of(
                        "spark-serve",
                        folder.resolve("plan.yaml"),
                        "--addresses",
                        folder.resolve("workers"),
                        "--workers",
                        "3",
                        "--anybody",
                        "--jars",
                        folder.resolve("jars")));

        assertThat(code).isEqualTo(7);
        assertThat(out.lines())
                .containsSubsequence(
                        "--class",
                        "org.jspdl.spark.ServeMain",
                        folder.resolve("jars/jspdl-spark-1.jar").toString(),
                        folder.resolve("plan.yaml").toString(),
                        "--addresses",
                        folder.resolve("workers").toString(),
                        "--workers",
                        "3",
                        "--anybody");
        jspdl(Map.of(), List.of("spark-serve", folder.resolve("plan.yaml")));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("spark-serve needs --addresses FOLDER");
    }

    /// That of the distribution has not all that Spark needs.
    @Test
    void sparkRunsOnAWholeJdk() throws Exception {
        Map<String, String> there = Map.of("JAVA_HOME", "/jdk-25");

        assertThat(SparkSubmit.javaHome(there, ModuleFinder.ofSystem())).isEqualTo(System.getProperty("java.home"));
        assertThat(SparkSubmit.javaHome(there, ModuleFinder.of())).isEqualTo("/jdk-25");
        assertThatThrownBy(() -> SparkSubmit.javaHome(Map.of(), ModuleFinder.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("Spark needs a whole JDK 25");
    }

    @Test
    void whatIsMissingIsNamed() {
        Map<String, String> there = Map.of("SPARK_HOME", folder.resolve("spark").toString());
        Object to = folder.resolve("out");

        spark(Map.of(), "--to", to, "--jars", folder.resolve("jars"));
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("SPARK_HOME is not set");
        spark(Map.of("SPARK_HOME", folder.toString()), "--to", to, "--jars", folder.resolve("jars"));
        assertThat(err).contains("there is no bin/spark-submit in it");
        spark(there, "--to", to, "--jars", folder.resolve("spark"));
        assertThat(err).contains("there is no jspdl-spark-*.jar in ", "--jars");
        withoutSparkOnTheClassPath(() -> spark(there, "--to", to));
        assertThat(err).contains("there is no jspdl-spark-*.jar beside this program");
        spark(there, "--jars", folder.resolve("jars"));
        assertThat(err).contains("spark needs --to FOLDER");
    }

    /// The class path of the tests has the module for Spark, which that of the program has not.
    private static void withoutSparkOnTheClassPath(Runnable action) {
        String classPath = System.getProperty("java.class.path");
        System.setProperty("java.class.path", "core.jar");
        try {
            action.run();
        } finally {
            System.setProperty("java.class.path", classPath);
        }
    }
}
