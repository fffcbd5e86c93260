package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `run-model` where nothing runs models; the tests of `interop-onnx` run some.
class RunModelWithoutRuntimeTest {
    @Test
    void whatToAddIsNamed(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("one.jpg"), "");
        Plan plan = Plan.of("plan.yaml", """
                source: {files: {path: ., glob: "*.jpg"}}
                steps:
                  - {load-image: {}, cpu: 1}
                  - run-model: {model: resnet.onnx}
                """);

        assertThatThrownBy(() -> plan.compile(
                        Operations.of(List.of(new SampleOperations(), new TextOperations())), PlanContext.in(folder)))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("add the jars of org.jspdl:jspdl-onnx and com.microsoft.onnxruntime:onnxruntime");
    }
}
