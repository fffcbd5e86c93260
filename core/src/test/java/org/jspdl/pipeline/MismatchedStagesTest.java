package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Types progress along the chain: the compiler refuses a stage that doesn't fit the one before it.
class MismatchedStagesTest {
    private static final String FITTING = ".pipe(\"length\", String::length, cpu(1)).batch(2, KEEP)"
            + ".map(lengths -> lengths.get(0) + 1).flatMap(\"two\", n -> List.of(n, n), io(1))"
            + ".filter(n -> n > 3).pipeAsync(\"ask\", CompletableFuture::completedFuture, async(1))"
            + ".pipeSeeded(\"add\", (n, random) -> n + random.nextDouble(), cpu(1))"
            + ".aggregate(\"window\", Gatherers.windowFixed(2), GathererState.emptyAfterEmission()).unbatch(all -> all)"
            + ".route(\"sign\", d -> d > 0).when(true, way -> way.map(d -> d.toString())).merge()";

    @TempDir
    Path folder;

    @Test
    void stagesThatFitCompile() throws Exception {
        assertThat(problemsOf(FITTING)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".pipe(\"length\", String::length, cpu(1)).pipe(\"upper\", String::toUpperCase, cpu(1))",
                ".batch(2, KEEP).map(String::length)",
                ".unbatch(item -> item)",
                ".flatMap(\"parts\", String::length, cpu(1))",
                ".filter(String::length)",
                ".pipeAsync(\"ask\", String::length, async(1))",
                ".map(String::length).aggregate(\"join\", Gatherers.fold(() -> \"\", String::concat), GathererState.unsaved())",
                ".route(\"kind\", String::length).when(\"three\", way -> way).merge()",
                ".route(\"kind\", String::length).when(3, way -> way.map(Integer::bitCount)).merge()"
            })
    void aStageThatDoesNotFitTheOneBeforeItDoesNotCompile(String chain) throws Exception {
        assertThat(problemsOf(chain)).contains("Chain.java:").contains("error:");
    }

    private String problemsOf(String chain) throws Exception {
        Path program = Files.writeString(folder.resolve("Chain.java"), """
                import static org.jspdl.pipeline.Remainder.*;
                import static org.jspdl.pipeline.StageOptions.*;

                import java.util.*;
                import java.util.concurrent.*;
                import java.util.stream.*;
                import org.jspdl.pipeline.*;

                class Chain {
                    Object of(Pipeline<String> texts) {
                        return texts%s;
                    }
                }
                """.formatted(chain));
        StringWriter problems = new StringWriter();
        PrintWriter writer = new PrintWriter(problems);
        int code = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        writer,
                        writer,
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.toString());
        return code == 0 ? "" : problems.toString();
    }
}
