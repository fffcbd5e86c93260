package org.jspdl.tokenizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerOperationsTest {
    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("tokenizer.json"), HuggingFaceTokenizerTest.BYTE_PAIRS);
    }

    @Test
    void aPlanTokenizesByAFileBesideIt() throws Exception {
        assertThat(tokens("{file: tokenizer.json}")).containsExactly(List.of(10, 11), List.of(9));
        assertThat(tokens("{file: tokenizer.json, special-tokens: true}"))
                .containsExactly(List.of(10, 11, 12), List.of(9, 12));
    }

    @Test
    void aFileThatIsNoTokenizerIsNamed() throws Exception {
        Files.writeString(folder.resolve("tokenizer.json"), "{}");

        assertThatThrownBy(() -> tokens("{file: tokenizer.json}")).hasMessageContaining("is no tokenizer.json");
    }

    private List<List<Integer>> tokens(String arguments) throws IOException {
        String plan = """
                source: {values: {values: [low er, lo]}}
                steps:
                  - {tokenize: %s, cpu: 2, order: input}
                """.formatted(arguments);
        List<List<Integer>> found = new ArrayList<>();
        try (CompiledPlan compiled =
                        Plan.of("tokens.yaml", plan).compile(Operations.installed(), PlanContext.in(folder));
                Run<?> run = compiled.pipeline().start(compiled.options())) {
            for (Object tokens : run) {
                List<Integer> numbers = new ArrayList<>();
                for (int token : (int[]) tokens) {
                    numbers.add(token);
                }
                found.add(numbers);
            }
        }
        return found;
    }
}
