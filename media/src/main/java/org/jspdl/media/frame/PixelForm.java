package org.jspdl.media.frame;

import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvNames.Pixels;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// As which tensor pictures of a pixel format can be given away as they are: every element is one value of one
/// component, whole and in the order of bytes that tensors have.
///
/// @param type     of the values
/// @param channels values of a pixel, or planes of a picture
record PixelForm(ElementType type, Arrangement arrangement, int channels) {
    /// How values lie.
    enum Arrangement {
        /// All of a pixel side by side: `[N, H, W, C]`.
        PIXELS,
        /// Whole planes of the picture's size: `[N, C, H, W]`.
        PLANES,
        /// Luminance, and below it planes of half the columns: `[N, 1, rows, W]`.
        HALVED_CHROMA
    }

    /// The form of a format; empty if it has none: values that share a byte, that mean nothing without a table, or
    /// of which a row has a part only.
    static Optional<PixelForm> of(Pixels pixels) {
        boolean plain = !pixels.isHardware() && !pixels.isBitstream() && !pixels.isPalette() && !pixels.isBayer();
        if (!plain || pixels.components() == 0 || pixels.depth() > Integer.SIZE) {
            return Optional.empty();
        }
        ElementType type = type(pixels);
        int bytes = type.byteSize();
        long places = pixels.parts().stream()
                .filter(part -> part.offset() % bytes == 0
                        && part.step() % bytes == 0
                        && part.depth() == pixels.depth()
                        && part.shift() == pixels.shift()
                        && part.shift() + part.depth() <= bytes * Byte.SIZE)
                .map(part -> part.plane() << Byte.SIZE | part.offset())
                .distinct()
                .count();
        if (places < pixels.components()) {
            return Optional.empty();
        }
        boolean whole = pixels.log2ChromaW() + pixels.log2ChromaH() == 0;
        int planes = 1
                + pixels.parts().stream()
                        .mapToInt(Pixels.Component::plane)
                        .max()
                        .orElse(0);
        if (!pixels.isPlanar()) {
            boolean pairs = pixels.log2ChromaW() == 1 && pixels.log2ChromaH() == 0 && pixels.step() == 2 * bytes;
            return whole || pairs
                    ? Optional.of(new PixelForm(type, Arrangement.PIXELS, pixels.step() / bytes))
                    : Optional.empty();
        }
        if (whole) {
            return planes == pixels.components()
                    ? Optional.of(new PixelForm(type, Arrangement.PLANES, planes))
                    : Optional.empty();
        }
        return pixels.log2ChromaW() == 1 && pixels.log2ChromaH() <= 1 && pixels.components() == 3
                ? Optional.of(new PixelForm(type, Arrangement.HALVED_CHROMA, 1))
                : Optional.empty();
    }

    private static ElementType type(Pixels pixels) {
        if (pixels.isFloat()) {
            return pixels.depth() > Short.SIZE ? ElementType.FLOAT32 : ElementType.FLOAT16;
        }
        if (pixels.depth() > Short.SIZE) {
            return ElementType.UINT32;
        }
        return pixels.depth() > Byte.SIZE ? ElementType.UINT16 : ElementType.UINT8;
    }

    /// The shape of `count` pictures; empty if their size cuts a group of pixels that share their chroma.
    Optional<Shape> shape(int count, int width, int height, Pixels pixels) {
        if (width % (1 << pixels.log2ChromaW()) != 0 || height % (1 << pixels.log2ChromaH()) != 0) {
            return Optional.empty();
        }
        return Optional.of(
                switch (arrangement) {
                    case PIXELS -> Shape.of(count, height, width, channels);
                    case PLANES -> Shape.of(count, channels, height, width);
                    case HALVED_CHROMA ->
                        Shape.of(count, 1, pixels.log2ChromaH() == 1 ? height * 3L / 2 : height * 2L, width);
                });
    }
}
