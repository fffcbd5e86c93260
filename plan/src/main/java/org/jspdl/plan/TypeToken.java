package org.jspdl.plan;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.jspdl.plan.internal.Types;

/// A type with its type arguments, which a `Class` alone can't hold. Immutable.
///
/// Written as `new TypeToken<List<String>>() {}`, or `TypeToken.of(String.class)` for a type without arguments.
public abstract class TypeToken<T> {
    private final Type type;

    /// The type that the subclass gives for `T`.
    protected TypeToken() {
        if (getClass().getGenericSuperclass() instanceof ParameterizedType parent
                && parent.getRawType() == TypeToken.class) {
            this.type = parent.getActualTypeArguments()[0];
        } else {
            throw new IllegalArgumentException("a type token is made by new TypeToken<List<String>>() {}");
        }
        if (!Types.isResolved(type)) {
            throw new IllegalArgumentException("a type token needs a type without variables but was " + type);
        }
    }

    private TypeToken(Type type) {
        this.type = type;
    }

    /// A class; its type arguments, if it takes any, remain open.
    public static <T> TypeToken<T> of(Class<T> type) {
        return new Known<>(Types.boxed(type));
    }

    /// Lists of `element`.
    public static <T> TypeToken<List<T>> listOf(TypeToken<T> element) {
        return new Known<>(new Types.Applied(List.class, List.of(element.type)));
    }

    /// Whether a value of type `actual` can be used where this type is wanted, by the rules of the Java language.
    public boolean accepts(TypeToken<?> actual) {
        return Types.isAssignable(type, actual.type);
    }

    /// What an `Iterable` of this type yields; empty if this is none, or does not say.
    public Optional<TypeToken<?>> element() {
        return Types.asSupertype(type, Iterable.class).map(TypeToken::argument);
    }

    /// What a list of this type holds; empty if this is none, or does not say.
    Optional<TypeToken<?>> listElement() {
        return Types.asSupertype(type, List.class).map(TypeToken::argument);
    }

    private static TypeToken<?> argument(List<Type> arguments) {
        return new Known<>(Types.upperBound(arguments.getFirst()));
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof TypeToken<?> token && Types.same(token.type, type);
    }

    @Override
    public final int hashCode() {
        return Types.describe(type).hashCode();
    }

    /// The type as it is written in a program, without packages.
    @Override
    public final String toString() {
        return Types.describe(type);
    }

    private static final class Known<T> extends TypeToken<T> {
        private Known(Type type) {
            super(type);
        }
    }
}
