package org.jspdl.data.plan.value;

import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.pipeline.SeededFunction;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Parameter;

/// Replaces one field of a sample by what its bytes hold.
///
/// @param from   the first of these that a sample has is taken
/// @param to     what the field is called afterwards
/// @param choice sees that samples whose plan names no field are not read from fields of different kinds
public record FieldLoading(List<String> from, String to, Loader loader, UsualField choice)
        implements SeededFunction<PlanSample, PlanSample> {

    /// Makes a value of bytes.
    @FunctionalInterface
    public interface Loader {
        /// A tensor that the sample will own, a number, or a text; may add further fields to the sample itself.
        Object load(Encoded encoded, PlanSample sample, RandomGenerator random) throws Exception;
    }

    private static final RandomGenerator NO_CHANCE = () -> {
        throw new IllegalStateException("nothing is left to chance here");
    };

    /// Chooses among the fields of `from`.
    public FieldLoading(List<String> from, String to, Loader loader) {
        this(from, to, loader, UsualField.of(from));
    }

    /// The same for a loader that leaves nothing to chance, which may run in the stage before.
    public StageFunction<PlanSample, PlanSample> withoutChance() {
        return sample -> apply(sample, NO_CHANCE);
    }

    /// Fields that are taken if a plan names none.
    public static Parameter<List<String>> from(String... usual) {
        return Parameter.texts("from").orElse(UsualField.list(usual));
    }

    /// What the field is called if a plan does not say.
    public static Parameter<String> to(String usual) {
        return Parameter.text("to").orElse(usual);
    }

    @Override
    public PlanSample apply(PlanSample sample, RandomGenerator random) throws Exception {
        for (PlanSample member : sample.members()) {
            load(member, random);
        }
        return sample;
    }

    private void load(PlanSample sample, RandomGenerator random) throws Exception {
        String field = choice.of(sample);
        if (!(sample.take(field) instanceof Encoded encoded)) {
            throw new IOException(sample.name() + ": the field '" + field + "' holds no file: it was loaded already");
        }
        if (from.contains(to)) {
            requireFree(sample, field);
        }
        try {
            Object value = loader.load(encoded, sample, random);
            if (value instanceof AutoCloseable resource) {
                sample.owning(resource);
            }
            requireFree(sample, field);
            sample.with(to, value);
        } catch (IOException | RuntimeException failure) {
            String message = String.valueOf(failure.getMessage());
            throw message.contains(sample.name()) ? failure : new IOException(sample.name() + ": " + message, failure);
        }
    }

    private void requireFree(PlanSample sample, String field) throws IOException {
        if (sample.namedValues().containsKey(to)) { // which of both is meant?
            throw new IOException(sample.name() + ": the field '" + field + "' is loaded as '" + to
                    + "', and there is another field called so: give another name, 'to', or leave one of them out by"
                    + " 'keep'");
        }
    }
}
