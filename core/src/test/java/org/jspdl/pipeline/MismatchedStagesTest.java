package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.testing.Compilation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    private static final List<String> NOT_FITTING = List.of(
            ".pipe(\"length\", String::length, cpu(1)).pipe(\"upper\", String::toUpperCase, cpu(1))",
            ".batch(2, KEEP).map(String::length)",
            ".unbatch(item -> item)",
            ".flatMap(\"parts\", String::length, cpu(1))",
            ".filter(String::length)",
            ".pipeAsync(\"ask\", String::length, async(1))",
            ".map(String::length).aggregate(\"join\", Gatherers.fold(() -> \"\", String::concat),"
                    + " GathererState.unsaved())",
            ".route(\"kind\", String::length).when(\"three\", way -> way).merge()",
            ".route(\"kind\", String::length).when(3, way -> way.map(Integer::bitCount)).merge()");

    @Test
    void stagesThatFitCompileAndAStageThatDoesNotFitTheOneBeforeItDoesNot() throws Exception {
        Map<String, String> programs = new TreeMap<>();
        programs.put("Fitting.java", program("Fitting", FITTING));
        for (int i = 0; i < NOT_FITTING.size(); i++) {
            programs.put("Chain" + i + ".java", program("Chain" + i, NOT_FITTING.get(i)));
        }

        Map<String, String> errors = Compilation.errors(folder, programs);

        programs.remove("Fitting.java");
        assertThat(errors).containsOnlyKeys(programs.keySet());
    }

    private static String program(String name, String chain) {
        return """
                import static org.jspdl.pipeline.Remainder.*;
                import static org.jspdl.pipeline.StageOptions.*;

                import java.util.*;
                import java.util.concurrent.*;
                import java.util.stream.*;
                import org.jspdl.pipeline.*;

                class %s {
                    Object of(Pipeline<String> texts) {
                        return texts%s;
                    }
                }
                """.formatted(name, chain);
    }
}
