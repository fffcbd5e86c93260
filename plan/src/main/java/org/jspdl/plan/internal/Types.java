package org.jspdl.plan.internal;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The part of Java's rules for generic types that plans need.
public final class Types {
    private Types() {}

    /// A generic class with its arguments, made here rather than by the compiler.
    public record Applied(Class<?> raw, List<Type> arguments) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return null;
        }
    }

    /// Whether no type variable is left in `type`.
    public static boolean isResolved(Type type) {
        return switch (type) {
            case TypeVariable<?> _ -> false;
            case ParameterizedType applied ->
                Arrays.stream(applied.getActualTypeArguments()).allMatch(Types::isResolved);
            case GenericArrayType array -> isResolved(array.getGenericComponentType());
            case WildcardType wildcard ->
                Arrays.stream(wildcard.getUpperBounds()).allMatch(Types::isResolved)
                        && Arrays.stream(wildcard.getLowerBounds()).allMatch(Types::isResolved);
            default -> true;
        };
    }

    /// Whether a value of type `actual` can be used as a `wanted`.
    public static boolean isAssignable(Type wanted, Type actual) {
        return switch (wanted) {
            case Class<?> plain -> plain.isAssignableFrom(raw(actual));
            case ParameterizedType applied ->
                asSupertype(actual, raw(applied))
                        .map(arguments -> contain(applied.getActualTypeArguments(), arguments))
                        .orElse(false);
            case WildcardType wildcard ->
                Arrays.stream(wildcard.getUpperBounds()).allMatch(bound -> isAssignable(bound, actual));
            default -> same(wanted, actual);
        };
    }

    private static boolean contain(Type[] wanted, List<Type> actual) {
        for (int i = 0; i < wanted.length; i++) {
            if (!contains(wanted[i], actual.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean contains(Type wanted, Type actual) {
        if (wanted instanceof WildcardType wildcard) {
            return isAssignable(wildcard, upperBound(actual))
                    && Arrays.stream(wildcard.getLowerBounds()).allMatch(bound -> isAssignable(actual, bound));
        }
        return same(wanted, actual);
    }

    /// The arguments that `type` gives to its superclass or interface `parent`; empty if that is none, or they are
    /// not known.
    public static Optional<List<Type>> asSupertype(Type type, Class<?> parent) {
        Class<?> raw = raw(type);
        if (!parent.isAssignableFrom(raw)) {
            return Optional.empty();
        }
        Map<TypeVariable<?>, Type> known = new HashMap<>();
        if (type instanceof ParameterizedType applied) {
            for (int i = 0; i < raw.getTypeParameters().length; i++) {
                known.put(raw.getTypeParameters()[i], applied.getActualTypeArguments()[i]);
            }
        }
        if (raw == parent) {
            return type instanceof ParameterizedType applied
                    ? Optional.of(List.of(applied.getActualTypeArguments()))
                    : Optional.empty();
        }
        List<Type> parents = new ArrayList<>(List.of(raw.getGenericInterfaces()));
        if (raw.getGenericSuperclass() != null) {
            parents.add(raw.getGenericSuperclass());
        }
        return parents.stream()
                .filter(each -> parent.isAssignableFrom(raw(each)))
                .flatMap(each -> asSupertype(substitute(each, known), parent).stream())
                .findFirst();
    }

    private static Type substitute(Type type, Map<TypeVariable<?>, Type> known) {
        return switch (type) {
            case TypeVariable<?> variable -> known.getOrDefault(variable, raw(variable));
            case ParameterizedType applied ->
                new Applied(
                        raw(applied),
                        Arrays.stream(applied.getActualTypeArguments())
                                .map(argument -> substitute(argument, known))
                                .toList());
            default -> type;
        };
    }

    public static Type upperBound(Type type) {
        return type instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : type;
    }

    static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType applied -> raw(applied.getRawType());
            case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
            case TypeVariable<?> variable -> raw(variable.getBounds()[0]);
            default -> throw new IllegalArgumentException("there is no such kind of type: " + type);
        };
    }

    /// Whether both are the same type, however they were made.
    public static boolean same(Type one, Type other) {
        if (one instanceof ParameterizedType first && other instanceof ParameterizedType second) {
            Type[] firsts = first.getActualTypeArguments();
            Type[] seconds = second.getActualTypeArguments();
            return raw(first) == raw(second)
                    && firsts.length == seconds.length
                    && java.util.stream.IntStream.range(0, firsts.length).allMatch(i -> same(firsts[i], seconds[i]));
        }
        return one.equals(other);
    }

    public static Type boxed(Class<?> type) {
        return type.isPrimitive()
                ? java.lang.invoke.MethodType.methodType(type).wrap().returnType()
                : type;
    }

    public static String describe(Type type) {
        return switch (type) {
            case Class<?> plain -> plain.getSimpleName();
            case ParameterizedType applied ->
                Arrays.stream(applied.getActualTypeArguments())
                        .map(Types::describe)
                        .collect(Collectors.joining(", ", raw(applied).getSimpleName() + "<", ">"));
            case GenericArrayType array -> describe(array.getGenericComponentType()) + "[]";
            case WildcardType wildcard
            when wildcard.getLowerBounds().length > 0 -> "? super " + describe(wildcard.getLowerBounds()[0]);
            case WildcardType wildcard ->
                wildcard.getUpperBounds()[0] == Object.class
                        ? "?"
                        : "? extends " + describe(wildcard.getUpperBounds()[0]);
            default -> type.getTypeName();
        };
    }
}
