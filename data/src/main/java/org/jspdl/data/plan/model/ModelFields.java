package org.jspdl.data.plan.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.plan.model.Model;
import org.jspdl.plan.model.ModelTensor;
import org.jspdl.plan.model.ModelValue;

/// Which field of a sample is which input or output of a model, checked before the first sample. Models that take
/// batches are given batches of one sample.
///
/// @param shown  what messages call the model
/// @param inputs each with its field
/// @param made   fields by outputs
record ModelFields(String shown, List<Input> inputs, Map<String, String> made) {
    /// An input.
    ///
    /// @param type of its elements
    record Input(ModelTensor tensor, ElementType type, String field) {}

    /// What a run is given.
    ///
    /// @param isBatch whether it is a batch of one sample
    record Given(Map<String, ModelValue> inputs, boolean isBatch) {}

    /// The value of a field.
    @FunctionalInterface
    interface Values {
        ModelValue of(String field) throws IOException;
    }

    static ModelFields of(String shown, Model model, Map<String, String> from, Map<String, String> to)
            throws IOException {
        Map<String, String> taken = resolved(shown + " takes ", model.inputs(), "from", from);
        List<Input> inputs = new ArrayList<>();
        for (ModelTensor input : model.inputs()) {
            String field = taken.get(input.name());
            if (field == null) {
                throw new IOException(
                        shown + " also takes " + input + ": name its field in 'from', beside " + taken.keySet());
            }
            inputs.add(new Input(input, type(shown + " takes ", input), field));
        }
        Map<String, String> made = resolved(shown + " gives ", model.outputs(), "to", to);
        for (ModelTensor output : model.outputs()) {
            if (made.containsKey(output.name())) {
                type(shown + " gives ", output);
            }
        }
        if (new LinkedHashSet<>(made.values()).size() < made.size()) {
            throw new IOException("'to' gives one field to two outputs: " + made);
        }
        return new ModelFields(shown, List.copyOf(inputs), made);
    }

    private static ElementType type(String does, ModelTensor tensor) throws IOException {
        return tensor.type()
                .orElseThrow(() -> new IOException(does + tensor + ", and a field holds tensors of numbers only"));
    }

    private static Map<String, String> resolved(
            String does, List<ModelTensor> there, String parameter, Map<String, String> said) throws IOException {
        String alone = said.get("");
        if (alone != null) {
            if (there.size() != 1) {
                throw new IOException(does + there + ": say which, as " + parameter + ": {"
                        + there.getFirst().name() + ": FIELD}");
            }
            return Map.of(there.getFirst().name(), alone);
        }
        if (said.isEmpty()) {
            throw new IOException("'" + parameter + "' names nothing; " + does + there);
        }
        for (String name : said.keySet()) {
            if (there.stream().noneMatch(tensor -> tensor.name().equals(name))) {
                throw new IOException(does + there + ", and nothing called '" + name + "'");
            }
        }
        return new LinkedHashMap<>(said);
    }

    /// The outputs that are wanted.
    List<String> outputs() {
        return List.copyOf(made.keySet());
    }

    /// What an output becomes.
    String field(String output) {
        return Optional.ofNullable(made.get(output)).orElseThrow();
    }

    /// The inputs of one sample.
    ///
    /// @throws IOException if a field is not what the model takes
    Given given(String sample, Values values) throws IOException {
        Map<String, ModelValue> given = new LinkedHashMap<>();
        boolean batch = false;
        for (Input input : inputs) {
            ModelValue value = value(sample, input, values);
            boolean one = input.tensor().extents().size() == value.shape().rank() + 1;
            Shape shape = one ? value.shape().batched(1) : value.shape();
            if (value.type() != input.type() || !fits(input.tensor(), shape)) {
                throw new IOException(sample + ": " + shown + " takes " + input.tensor() + ", but the field '"
                        + input.field() + "' is " + value.type() + value.shape()
                        + (value.type() == input.type() ? "" : ": load it as " + input.type() + " ('dtype')"));
            }
            batch |= one;
            given.put(input.tensor().name(), new ModelValue(value.type(), shape, value.elements()));
        }
        return new Given(given, batch);
    }

    private static ModelValue value(String sample, Input input, Values values) throws IOException {
        try {
            return values.of(input.field());
        } catch (IOException unfit) {
            String message = String.valueOf(unfit.getMessage());
            throw message.contains(sample)
                    ? unfit
                    : new IOException(sample + ": the field '" + input.field() + "' " + message, unfit);
        }
    }

    private static boolean fits(ModelTensor declared, Shape shape) {
        if (declared.extents().size() != shape.rank()) {
            return false;
        }
        for (int i = 0; i < shape.rank(); i++) {
            long extent = declared.extents().get(i);
            if (extent != ModelTensor.ANY && extent != shape.extent(i)) {
                return false;
            }
        }
        return true;
    }

    /// The shape of what a sample gets of an output of `shape`.
    ///
    /// @throws IOException if it is none of one sample
    Shape shape(String sample, String output, Shape shape, boolean isBatch) throws IOException {
        if (!isBatch) {
            return shape;
        }
        if (shape.rank() == 0 || shape.extent(0) != 1) {
            throw new IOException(sample + ": for a batch of one sample " + shown + " gives '" + output
                    + "' of the shape " + shape + ", which is no batch of one");
        }
        return shape.row();
    }
}
