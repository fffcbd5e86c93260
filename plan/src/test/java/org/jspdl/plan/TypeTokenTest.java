package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TypeTokenTest {
    interface Pair<A, B> extends Map<B, List<A>> {}

    static final class Words extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    static Arguments[] accepted() {
        return new Arguments[] {
            Arguments.of(TypeToken.of(Object.class), new TypeToken<List<String>>() {}),
            Arguments.of(TypeToken.of(Number.class), TypeToken.of(Long.class)),
            Arguments.of(TypeToken.of(long.class), TypeToken.of(Long.class)),
            Arguments.of(TypeToken.of(List.class), new TypeToken<List<String>>() {}),
            Arguments.of(TypeToken.listOf(TypeToken.of(String.class)), new TypeToken<List<String>>() {}),
            Arguments.of(new TypeToken<Collection<String>>() {}, new TypeToken<ArrayList<String>>() {}),
            Arguments.of(new TypeToken<Iterable<String>>() {}, TypeToken.of(Words.class)),
            Arguments.of(new TypeToken<List<? extends Number>>() {}, new TypeToken<List<Long>>() {}),
            Arguments.of(new TypeToken<List<? super Long>>() {}, new TypeToken<List<Number>>() {}),
            Arguments.of(new TypeToken<List<?>>() {}, new TypeToken<List<List<Long>>>() {}),
            Arguments.of(new TypeToken<Map<String, List<Long>>>() {}, new TypeToken<Pair<Long, String>>() {}),
            Arguments.of(new TypeToken<List<String>[]>() {}, new TypeToken<List<String>[]>() {}),
            Arguments.of(TypeToken.of(byte[].class), TypeToken.of(byte[].class)),
        };
    }

    static Arguments[] refused() {
        return new Arguments[] {
            Arguments.of(TypeToken.of(Long.class), TypeToken.of(Number.class)),
            Arguments.of(TypeToken.of(Long.class), TypeToken.of(Integer.class)),
            Arguments.of(new TypeToken<List<Number>>() {}, new TypeToken<List<Long>>() {}),
            Arguments.of(new TypeToken<List<String>>() {}, TypeToken.of(List.class)),
            Arguments.of(new TypeToken<Iterable<Long>>() {}, TypeToken.of(Words.class)),
            Arguments.of(new TypeToken<List<? extends Number>>() {}, new TypeToken<List<String>>() {}),
            Arguments.of(new TypeToken<List<? super Long>>() {}, new TypeToken<List<Integer>>() {}),
            Arguments.of(new TypeToken<Map<Long, List<String>>>() {}, new TypeToken<Pair<Long, String>>() {}),
            Arguments.of(new TypeToken<List<String>[]>() {}, new TypeToken<List<Long>[]>() {}),
            Arguments.of(new TypeToken<ArrayList<String>>() {}, new TypeToken<List<String>>() {}),
        };
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void whatJavaWouldAssignIsAccepted(TypeToken<?> wanted, TypeToken<?> actual) {
        assertThat(wanted.accepts(actual)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatJavaWouldNotAssignIsRefused(TypeToken<?> wanted, TypeToken<?> actual) {
        assertThat(wanted.accepts(actual)).isFalse();
    }

    @Test
    void theElementOfAnIterableIsFoundThroughItsSupertypes() {
        assertThat(TypeToken.of(Words.class).element()).contains(TypeToken.of(String.class));
        assertThat(new TypeToken<List<? extends Number>>() {}.element()).contains(TypeToken.of(Number.class));
        assertThat(new TypeToken<HashMap<String, Long>>() {}.element()).isEmpty();
    }

    @Test
    void tokensPrintTheirTypeAsItIsWritten() {
        assertThat(new TypeToken<Map<String, ? extends List<? super Long>>>() {})
                .hasToString("Map<String, ? extends List<? super Long>>");
        assertThat(TypeToken.of(byte[].class)).hasToString("byte[]");
    }

    private static <T> TypeToken<List<T>> open() {
        return new TypeToken<>() {};
    }

    @Test
    void aTokenWithATypeVariableIsRefused() {
        assertThatThrownBy(TypeTokenTest::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a type token needs a type without variables but was java.util.List<T>");
    }
}
