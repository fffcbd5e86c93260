package org.jspdl.data.plan;

import java.io.IOException;
import java.util.List;
import org.jspdl.data.internal.text.Decimals;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.memory.BufferPool;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `load-number`: a number that is written out, such as a class, becomes a number.
final class LoadNumber {
    /// Of which kind.
    enum NumberType {
        WHOLE,
        DECIMAL
    }

    private static final Parameter<List<String>> FROM = FieldLoading.from("cls", "label", "class", "target");
    private static final Parameter<String> TO = FieldLoading.to("label");
    private static final Parameter<NumberType> TYPE =
            Parameter.choice("type", NumberType.class).orElse(NumberType.WHOLE);

    private LoadNumber() {}

    static Operation operation() {
        return Operation.function(
                "load-number",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                given -> make(given).withoutChance(),
                FROM,
                TO,
                TYPE);
    }

    private static FieldLoading make(Arguments given) {
        BufferPool pool = given.keep(BufferPool.unbounded("numbers"));
        boolean whole = given.get(TYPE) == NumberType.WHOLE;
        return new FieldLoading(given.get(FROM), given.get(TO), (encoded, _, _) -> {
            String text = encoded.text(pool).strip();
            try {
                return whole ? (Object) Long.parseLong(text) : (Object) Decimals.parse(text);
            } catch (NumberFormatException none) {
                throw new IOException("'" + text + "' is no " + (whole ? "whole " : "") + "number", none);
            }
        });
    }
}
