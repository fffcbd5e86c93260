package org.jspdl.data.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspdl.array.ArrayView;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.SeededFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.function.SampleFunctions;

/// `call-function`: a function of the program that runs the plan makes another sample of each; see [SampleFunctions].
final class CallFunction {
    private static final Parameter<String> FUNCTION = Parameter.text("function");

    private CallFunction() {}

    static Operation operation() {
        return Operation.seeded(
                "call-function", SampleOperations.SAMPLE, SampleOperations.SAMPLE, CallFunction::make, FUNCTION);
    }

    private static SeededFunction<PlanSample, PlanSample> make(Arguments given) {
        String name = given.get(FUNCTION);
        SampleFunctions.SampleFunction function = given.offered(SampleFunctions.class)
                .orElseThrow(() -> new IllegalArgumentException("'" + name
                        + "' is a function of the program that wrote the" + " plan: only that program can run it"))
                .named(name);
        BufferPool small = given.keep(BufferPool.unbounded("fields of functions"));
        return (sample, random) -> {
            long seed = random.nextLong();
            List<AutoCloseable> views = new ArrayList<>();
            try {
                SampleFunctions.Made made = function.apply(sample.name(), fields(sample, small, views), seed);
                PlanSample changed = sample.become(made.fields());
                return (made.apart() ? changed.disowning() : changed).owning(made.owned());
            } finally {
                Closeables.closeAll(views);
            }
        };
    }

    /// The fields as functions see them: arrays as tensors.
    private static SequencedMap<String, Object> fields(PlanSample sample, BufferPool small, List<AutoCloseable> views)
            throws Exception {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        for (String name : sample.namedValues().sequencedKeySet()) {
            Object value = Collating.loaded(sample, name);
            if (value instanceof ArrayView view) {
                Tensor tensor = view.toTensor(small);
                views.add(tensor);
                value = tensor;
            }
            fields.put(name, value);
        }
        return fields;
    }
}
