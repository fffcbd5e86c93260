package org.jspdl.plan;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspdl.plan.internal.Resources;

/// What one use of an operation is given: its parameters, checked, and a place for what it has to close.
///
/// Used while a plan is compiled, by one thread.
public final class Arguments {
    private final String stage;
    private final Map<Parameter<?>, Object> values;
    private final PlanContext context;
    private final Resources resources;

    Arguments(String stage, Map<Parameter<?>, Object> values, PlanContext context, Resources resources) {
        this.stage = stage;
        this.values = Map.copyOf(values);
        this.context = context;
        this.resources = resources;
    }

    /// The value of `parameter`, which must be one of the operation's.
    @SuppressWarnings("unchecked") // each value was read by its parameter
    public <T> T get(Parameter<T> parameter) {
        Object value = values.get(parameter);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the operation does not declare the parameter '" + parameter.name() + "'");
        }
        return (T) value;
    }

    /// The name of a seeded operation's stage, which its randomness depends on; empty for other operations.
    public String stage() {
        return stage;
    }

    /// The file or folder that `parameter` names, relative to the plan's own folder.
    public Path path(Parameter<String> parameter) {
        try {
            return context.folder().resolve(get(parameter));
        } catch (InvalidPathException invalid) {
            throw new IllegalArgumentException(
                    "'" + parameter.name() + "' is not a path: " + invalid.getReason(), invalid);
        }
    }

    /// Where relative paths of the plan begin.
    public Path folder() {
        return context.folder();
    }

    /// What the place where the plan runs offers of this type, by [PlanContext#offer]; its
    /// [org.jspdl.pipeline.RunOptions] are always there.
    public <T> Optional<T> offered(Class<T> type) {
        return Optional.ofNullable(context.offers().get(type)).map(type::cast);
    }

    /// Has `resource` closed with the compiled plan, after what was kept later; returns it.
    public <C extends AutoCloseable> C keep(C resource) {
        return resources.keep(resource);
    }
}
