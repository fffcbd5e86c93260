package org.jspdl.data.plan;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.data.plan.model.SampleModel;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.storage.Location;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.record.RunNotes;

/// `run-model`: a model makes further fields of a sample, such as an embedding of its image.
final class RunModel {
    private static final Parameter<String> MODEL = Parameter.text("model");
    private static final Parameter<Map<String, String>> FROM =
            Parameter.settings("from", "").orElse(Map.of("", "image"));
    private static final Parameter<Map<String, String>> TO =
            Parameter.settings("to", "").orElse(Map.of("", "embedding"));

    private RunModel() {}

    static Operation operation() {
        return Operation.function(
                "run-model",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                RunModel::make,
                MODEL,
                FROM,
                TO,
                OrderParameters.STORAGE);
    }

    private static StageFunction<PlanSample, PlanSample> make(Arguments given) throws IOException {
        Location named = Location.of(given.get(MODEL));
        Location file = named.isRemote() ? named : Location.of(given.path(MODEL));
        BufferPool pool = given.keep(BufferPool.unbounded("outputs of models"));
        SampleModel model = given.keep(
                SampleModel.open(OrderParameters.storage(given), file, given.get(FROM), given.get(TO), pool));
        given.offered(RunNotes.class).ifPresent(notes -> notes.reads(model::identity));
        Set<String> inputs = Set.copyOf(given.get(FROM).values());
        Set<String> outputs = new TreeSet<>(given.get(TO).values());
        return sample -> {
            for (String field : outputs) {
                if (!inputs.contains(field) && sample.namedValues().containsKey(field)) {
                    throw new IOException(sample.name() + ": what the model makes would replace the field '" + field
                            + "', which it does not take: give another name, 'to', or leave the field out by 'keep'");
                }
            }
            model.run(
                    sample.name(),
                    field -> Collating.loaded(sample, field),
                    (field, made) -> sample.owning(made).with(field, made));
            return sample;
        };
    }
}
