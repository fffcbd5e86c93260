package org.jspdl.data.plan;

import java.io.IOException;
import java.util.List;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.data.plan.value.FieldValue;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.memory.BufferPool;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `load-text`: bytes in UTF-8 become a text.
final class LoadText {
    private static final Parameter<List<String>> FROM = FieldLoading.from("file", "txt", "text", "caption", "json");
    private static final Parameter<String> TO = FieldLoading.to("text");

    private LoadText() {}

    static Operation operation() {
        return Operation.function(
                "load-text",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                given -> make(given).withoutChance(),
                FROM,
                TO);
    }

    /// Reads fields as texts.
    record Texts(BufferPool pool) {
        /// The text in a field, loaded or not.
        String of(PlanSample sample, String field) throws Exception {
            return switch (FieldValue.of(sample.value(field))) {
                case Encoded encoded -> encoded.text(pool);
                case String text -> text;
                case Number number -> number.toString();
                case Boolean truth -> truth.toString();
                default ->
                    throw new IOException(sample.name() + ": the field '" + field
                            + "' is no text and no number, but an array or what a function made");
            };
        }
    }

    static Texts texts(Arguments given) {
        return new Texts(given.keep(BufferPool.unbounded("texts")));
    }

    private static FieldLoading make(Arguments given) {
        BufferPool pool = texts(given).pool();
        return new FieldLoading(given.get(FROM), given.get(TO), (encoded, _, _) -> encoded.text(pool));
    }
}
