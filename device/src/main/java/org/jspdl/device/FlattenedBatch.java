package org.jspdl.device;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// What a nested batch consists of: its values by their paths, such as `boxes.0`, and the containers to be closed.
///
/// @param values everything that is no container, in order
/// @param owners containers that are `AutoCloseable`, outermost first
record FlattenedBatch(SequencedMap<String, Object> values, List<AutoCloseable> owners) {
    private static final int DEEPEST = 32;

    static FlattenedBatch of(Object batch) {
        FlattenedBatch flattened = new FlattenedBatch(new LinkedHashMap<>(), new ArrayList<>());
        flattened.add("", batch, 0);
        return flattened;
    }

    private void add(String path, Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("the batch is nested more than " + DEEPEST + " deep at '" + path
                    + "': does a container hold itself?");
        }
        switch (value) {
            case Tensor tensor -> put(path, tensor);
            case NamedValues named -> named.namedValues().forEach((name, part) -> addPart(path, name, part, depth));
            case Record composite -> addRecord(path, composite, depth);
            case Map<?, ?> map -> map.forEach((key, part) -> addPart(path, String.valueOf(key), part, depth));
            case Collection<?> list -> addAll(path, list, depth);
            case Object[] array -> addAll(path, Arrays.asList(array), depth);
            default -> {
                put(path, value);
                return;
            }
        }
        if (value instanceof AutoCloseable owner && !(value instanceof Tensor)) {
            owners.add(owner);
        }
    }

    private void addAll(String path, Collection<?> parts, int depth) {
        int index = 0;
        for (Object part : parts) {
            addPart(path, String.valueOf(index++), part, depth);
        }
    }

    private void addRecord(String path, Record composite, int depth) {
        for (RecordComponent component : composite.getClass().getRecordComponents()) {
            addPart(path, component.getName(), read(composite, component), depth);
        }
    }

    private void addPart(String path, String name, @org.jspecify.annotations.Nullable Object part, int depth) {
        if (part != null) {
            add(path.isEmpty() ? name : path + "." + name, part, depth + 1);
        }
    }

    private void put(String path, Object value) {
        if (values.put(path, value) != null) {
            throw new IllegalArgumentException("two values of the batch have the path '" + path + "'");
        }
    }

    private static @org.jspecify.annotations.Nullable Object read(Record composite, RecordComponent component) {
        Method accessor = component.getAccessor();
        try {
            accessor.trySetAccessible();
            return accessor.invoke(composite);
        } catch (ReflectiveOperationException closed) {
            throw new IllegalArgumentException(
                    "cannot read " + component.getName() + " of "
                            + composite.getClass().getName() + ": open its package to org.jspdl.device, or give a Map",
                    closed);
        }
    }
}
