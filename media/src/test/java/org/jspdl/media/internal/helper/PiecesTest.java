package org.jspdl.media.internal.helper;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class PiecesTest {
    private static final long MEBIBYTE = 1L << 20;

    private static Pieces.Piece made(Pieces pieces, long byteSize) {
        return pieces.add(byteSize).orElseThrow();
    }

    private static List<Long> writable(Pieces.News news) {
        return news.writable();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 65_536, 65_537, 1_000_000, 3_175_200, 40_000_000})
    void aPieceIsLargeEnoughAndNotMuchLarger(long byteSize) {
        try (Pieces pieces = new Pieces()) {
            assertThat(made(pieces, byteSize).memory().byteSize())
                    .isBetween(byteSize, byteSize + byteSize / 8 + 65_536)
                    .isPositive();
        }
    }

    @Test
    void aPieceServesTheNextCallUnlessItIsKept() {
        try (Pieces pieces = new Pieces()) {
            Pieces.Piece piece = made(pieces, MEBIBYTE);
            long number = piece.number();
            pieces.end();
            assertThat(writable(pieces.begin())).containsExactly(number);
            assertThat(pieces.of(number)).isPresent();

            Runnable giveBack = pieces.keep(piece, MEBIBYTE).orElseThrow();
            assertThat(pieces.of(number)).isEmpty();
            assertThat(pieces.keep(piece, MEBIBYTE)).isEmpty();
            pieces.end();
            Pieces.News next = pieces.begin();
            assertThat(writable(next)).isEmpty();
            assertThat(next.readOnly()).containsExactly(number);
            pieces.end();
            assertThat(pieces.begin().readOnly()).isEmpty();
            pieces.end();

            giveBack.run();
            assertThat(writable(pieces.begin())).containsExactly(number);
        }
    }

    @Test
    void whatIsSmallOrBeyondTheBoundIsCopied() {
        try (Pieces pieces = new Pieces()) {
            assertThat(pieces.keep(made(pieces, 1_000), 1_000)).isEmpty();
            assertThat(pieces.keep(made(pieces, 4 * MEBIBYTE), MEBIBYTE)).isEmpty();
            List<Optional<Runnable>> kept = List.of(
                    pieces.keep(made(pieces, 16 * MEBIBYTE), 16 * MEBIBYTE),
                    pieces.keep(made(pieces, 16 * MEBIBYTE), 16 * MEBIBYTE),
                    pieces.keep(made(pieces, MEBIBYTE), MEBIBYTE));
            assertThat(kept.get(0)).isPresent();
            assertThat(kept.get(1)).isPresent();
            assertThat(kept.get(2)).isEmpty();
            kept.getFirst().orElseThrow().run();
            kept.get(1).orElseThrow().run();
        }
    }

    @Test
    void whatCallsTookBeyondTheBoundIsFreedAfterThem() {
        try (Pieces pieces = new Pieces()) {
            long large = made(pieces, 40 * MEBIBYTE).number();
            long small = made(pieces, MEBIBYTE).number();
            pieces.end();

            Pieces.News news = pieces.begin();
            assertThat(news.forgotten()).containsExactly(large);
            assertThat(writable(news)).containsExactly(small);
            pieces.end();
            assertThat(pieces.begin().forgotten()).isEmpty();
        }
    }

    @Test
    void whatIsKeptOutlivesTheHelper() {
        Pieces pieces = new Pieces();
        Pieces.Piece piece = made(pieces, MEBIBYTE);
        piece.memory().set(ValueLayout.JAVA_BYTE, MEBIBYTE - 1, (byte) 7);
        Runnable giveBack = pieces.keep(piece, MEBIBYTE).orElseThrow();
        pieces.close();

        assertThat(piece.memory().get(ValueLayout.JAVA_BYTE, MEBIBYTE - 1)).isEqualTo((byte) 7);
        giveBack.run();
        assertThat(piece.memory().scope().isAlive()).isFalse();
    }
}
