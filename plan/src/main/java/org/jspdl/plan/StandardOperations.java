package org.jspdl.plan;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspdl.plan.internal.LineIterator;
import org.jspdl.source.Samplers;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// The operations that need nothing but Java.
public final class StandardOperations implements OperationProvider {
    private static final Parameter<Long> SIZE = Parameter.whole("size", 0, Long.MAX_VALUE);
    private static final Parameter<List<String>> VALUES = Parameter.texts("values");
    private static final Parameter<String> PATH = Parameter.text("path");

    /// For `ServiceLoader`.
    public StandardOperations() {}

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.source("range", TypeToken.of(Long.class), given -> Sources.range(given.get(SIZE)), SIZE),
                Operation.source("values", TypeToken.of(String.class), StandardOperations::values, VALUES),
                Operation.source("lines", TypeToken.of(String.class), StandardOperations::lines, PATH));
    }

    @Override
    public Map<String, String> versions() {
        String version = StandardOperations.class.getPackage().getImplementationVersion();
        return Map.of("jspdl", version == null ? "(unpacked)" : version);
    }

    /// Called by what they are: a checkpoint is refused where they are others.
    private static Source<String> values(Arguments given) {
        List<String> values = given.get(VALUES);
        return Samplers.sequential(values.size())
                .items("values #" + Integer.toHexString(values.hashCode()), (_, at, _) -> values.get((int) at));
    }

    private static Source<String> lines(Arguments given) throws IOException {
        return Sources.of("lines of " + given.path(PATH).getFileName(), LineIterator.of(given.path(PATH)));
    }
}
