package org.jspdl.python.item;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// The components of any record, by the names that Python would give them: `startSeconds` as `start_seconds`.
final class RecordFields {
    private static final ClassValue<SequencedMap<String, Method>> ACCESSORS = new ClassValue<>() {
        @Override
        protected SequencedMap<String, Method> computeValue(Class<?> type) {
            SequencedMap<String, Method> accessors = new LinkedHashMap<>();
            for (RecordComponent component : type.getRecordComponents()) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true); // the record itself may not be public
                accessors.put(snake(component.getName()), accessor);
            }
            return accessors;
        }
    };

    private RecordFields() {}

    static SequencedMap<String, Object> of(Record item) {
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        ACCESSORS.get(item.getClass()).forEach((name, accessor) -> {
            try {
                fields.put(name, accessor.invoke(item));
            } catch (InvocationTargetException | IllegalAccessException failure) {
                throw new IllegalArgumentException(
                        "cannot read '" + name + "' of a " + item.getClass().getName(), failure);
            }
        });
        return fields;
    }

    private static String snake(String name) {
        StringBuilder snake = new StringBuilder(name.length() + 4);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0) {
                snake.append('_');
            }
            snake.append(Character.toLowerCase(c));
        }
        return snake.toString();
    }
}
