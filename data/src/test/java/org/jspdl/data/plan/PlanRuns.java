package org.jspdl.data.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;

/// Runs plans over the files of a folder, and keeps what their batches held.
final class PlanRuns {
    private static final Operations KNOWN = Operations.of(List.of(new SampleOperations(), new TextOperations()));

    private PlanRuns() {}

    /// What a tensor held.
    record Held(ElementType type, Shape shape, List<Double> values) {
        static Held of(ElementType type, Shape shape, double... values) {
            return new Held(
                    type,
                    shape,
                    java.util.stream.DoubleStream.of(values).boxed().toList());
        }

        private static Held of(Tensor tensor) {
            MemorySegment elements = tensor.segment();
            int size = tensor.type().byteSize();
            return new Held(
                    tensor.type(),
                    tensor.shape(),
                    IntStream.range(0, (int) tensor.shape().elements())
                            .mapToObj(i -> number(tensor.type(), elements, (long) i * size))
                            .toList());
        }

        private static Double number(ElementType type, MemorySegment elements, long at) {
            return switch (type) {
                case BOOL, UINT8 -> (double) (elements.get(ValueLayout.JAVA_BYTE, at) & 0xFF);
                case INT16 -> (double) elements.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
                case INT32 -> (double) elements.get(ValueLayout.JAVA_INT_UNALIGNED, at);
                case INT64 -> (double) elements.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                case FLOAT32 -> (double) elements.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
                case FLOAT64 -> elements.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
                default -> throw new IllegalArgumentException("no test makes " + type);
            };
        }
    }

    static CompiledPlan compile(Path folder, String plan) {
        return Plan.of("plan.yaml", plan).compile(KNOWN, PlanContext.in(folder));
    }

    /// The fields of all batches: tensors, lengths and lists.
    static List<Map<String, Object>> batches(Path folder, String plan) {
        try (CompiledPlan compiled = compile(folder, plan);
                Run<?> run = compiled.start()) {
            return rest(run);
        }
    }

    /// The fields of the batches that a run has left.
    static List<Map<String, Object>> rest(Run<?> run) {
        List<Map<String, Object>> batches = new ArrayList<>();
        do {
            run.forEach(batch -> batches.add(held((TensorBatch) batch)));
        } while (run.nextEpoch());
        return batches;
    }

    /// The fields of a batch, which is closed.
    static Map<String, Object> held(TensorBatch batch) {
        try (batch) {
            Map<String, Object> fields = new LinkedHashMap<>();
            batch.namedValues()
                    .forEach((name, value) -> fields.put(
                            name,
                            switch (value) {
                                case Tensor tensor -> Held.of(tensor);
                                case long[] lengths ->
                                    LongStream.of(lengths).boxed().toList();
                                default -> value;
                            }));
            return fields;
        }
    }

    /// A field that is a tensor.
    static Held tensor(Map<String, Object> batch, String field) {
        return (Held) Objects.requireNonNull(batch.get(field), field);
    }

    /// The elements of a field that is a list, over all batches.
    static List<Object> listed(List<Map<String, Object>> batches, String field) {
        List<Object> all = new ArrayList<>();
        batches.forEach(batch -> all.addAll((List<?>) Objects.requireNonNull(batch.get(field), field)));
        return all;
    }

    /// The numbers of a field that is a tensor, over all batches.
    static List<Double> numbers(List<Map<String, Object>> batches, String field) {
        return batches.stream()
                .flatMap(batch -> tensor(batch, field).values().stream())
                .toList();
    }
}
