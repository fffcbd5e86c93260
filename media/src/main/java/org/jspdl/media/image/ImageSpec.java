package org.jspdl.media.image;

import java.util.Objects;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// What an image is to become: its size, channels, element type and layout, and how carefully. Immutable.
///
/// Begin with the size ([#shorterSide], [#exact], [#original]) and refine: by default the output is RGB, unsigned
/// bytes, channels last, resized by an antialiased triangle filter.
public final class ImageSpec {
    private final Resize resize;
    private final int cropWidth;
    private final int cropHeight;
    private final Pixels pixels;
    private final Decoding decoding;

    /// What one pixel of the output is.
    record Pixels(Channels channels, ElementType type, Layout layout, Normalization normalization) {}

    /// How the decoder goes about it.
    record Decoding(Quality quality, Interpolation interpolation, long maxPixels) {}

    private ImageSpec(Resize resize, int cropWidth, int cropHeight, Pixels pixels, Decoding decoding) {
        this.resize = resize;
        this.cropWidth = cropWidth;
        this.cropHeight = cropHeight;
        this.pixels = pixels;
        this.decoding = decoding;
    }

    private static ImageSpec of(Resize resize) {
        return new ImageSpec(
                resize,
                0,
                0,
                new Pixels(Channels.RGB, ElementType.UINT8, Layout.NHWC, Normalization.none()),
                new Decoding(Quality.DEFAULT, Interpolation.BILINEAR, 100_000_000));
    }

    /// The image at its own size.
    public static ImageSpec original() {
        return of(new Resize.Original());
    }

    /// The image resized so that its shorter side has `pixels`; the longer one keeps the aspect ratio, rounded down.
    public static ImageSpec shorterSide(int pixels) {
        return of(new Resize.ShorterSide(atLeastOne("pixels", pixels)));
    }

    /// The image resized to exactly this size.
    public static ImageSpec exact(int width, int height) {
        return of(new Resize.Exact(atLeastOne("width", width), atLeastOne("height", height)));
    }

    private static int atLeastOne(String name, int pixels) {
        if (pixels < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 pixel but was " + pixels);
        }
        return pixels;
    }

    /// This, cropped to a window in the middle; where the image is smaller the rest is black.
    public ImageSpec centerCrop(int width, int height) {
        return new ImageSpec(resize, atLeastOne("width", width), atLeastOne("height", height), pixels, decoding);
    }

    /// This with other channels.
    public ImageSpec channels(Channels channels) {
        return with(new Pixels(Objects.requireNonNull(channels), pixels.type, pixels.layout, pixels.normalization));
    }

    /// This with other elements: `UINT8`, or `FLOAT32` for values from 0 to 1 or normalised.
    public ImageSpec elements(ElementType type) {
        if (type != ElementType.UINT8 && type != ElementType.FLOAT32) {
            throw new IllegalArgumentException("images are decoded to UINT8 or FLOAT32, not " + type);
        }
        return with(new Pixels(pixels.channels, type, pixels.layout, pixels.normalization));
    }

    /// This in another layout.
    public ImageSpec layout(Layout layout) {
        return with(new Pixels(pixels.channels, pixels.type, Objects.requireNonNull(layout), pixels.normalization));
    }

    /// This with normalised elements, which must be of a floating-point type.
    public ImageSpec normalization(Normalization normalization) {
        return with(new Pixels(pixels.channels, pixels.type, pixels.layout, Objects.requireNonNull(normalization)));
    }

    /// This at another quality.
    public ImageSpec quality(Quality quality) {
        return with(new Decoding(Objects.requireNonNull(quality), decoding.interpolation, decoding.maxPixels));
    }

    /// This resized by another filter.
    public ImageSpec interpolation(Interpolation interpolation) {
        return with(new Decoding(decoding.quality, Objects.requireNonNull(interpolation), decoding.maxPixels));
    }

    /// This, refusing images of more than `maxPixels` pixels; 100 million by default.
    public ImageSpec maxPixels(long maxPixels) {
        if (maxPixels < 1) {
            throw new IllegalArgumentException("maxPixels must be at least 1 but was " + maxPixels);
        }
        return with(new Decoding(decoding.quality, decoding.interpolation, maxPixels));
    }

    private ImageSpec with(Pixels pixels) {
        return new ImageSpec(resize, cropWidth, cropHeight, pixels, decoding);
    }

    private ImageSpec with(Decoding decoding) {
        return new ImageSpec(resize, cropWidth, cropHeight, pixels, decoding);
    }

    /// Whether every image becomes the same shape.
    public boolean isFixedSize() {
        return cropWidth > 0 || resize instanceof Resize.Exact;
    }

    /// The shape of one image of a fixed size: height, width, channels in the layout's order.
    ///
    /// @throws IllegalStateException if the size depends on the image
    public Shape rowShape() {
        if (cropWidth > 0) {
            return shape(cropWidth, cropHeight);
        }
        if (resize instanceof Resize.Exact(int width, int height)) {
            return shape(width, height);
        }
        throw new IllegalStateException("the size of " + this + " depends on the image; give a crop or an exact size");
    }

    /// The bytes of one image of a fixed size.
    ///
    /// @throws IllegalStateException if the size depends on the image
    public long rowBytes() {
        return Tensor.byteSize(pixels.type, rowShape());
    }

    /// The shape that an image of `width` x `height` pixels becomes.
    public Shape shapeOf(int width, int height) {
        Placement placement = place(width, height);
        return shape(placement.width(), placement.height());
    }

    private Shape shape(long width, long height) {
        return switch (pixels.layout) {
            case NHWC -> Shape.of(height, width, pixels.channels.count());
            case NCHW -> Shape.of(pixels.channels.count(), height, width);
        };
    }

    /// Where an image of `width` x `height` pixels goes.
    public Placement place(int width, int height) {
        int scaledWidth = switch (resize) {
            case Resize.Original() -> width;
            case Resize.ShorterSide(int side) -> width <= height ? side : longer(side, width, height);
            case Resize.Exact(int exactWidth, int _) -> exactWidth;
        };
        int scaledHeight = switch (resize) {
            case Resize.Original() -> height;
            case Resize.ShorterSide(int side) -> width <= height ? longer(side, height, width) : side;
            case Resize.Exact(int _, int exactHeight) -> exactHeight;
        };
        int outWidth = cropWidth > 0 ? cropWidth : scaledWidth;
        int outHeight = cropWidth > 0 ? cropHeight : scaledHeight;
        return new Placement(
                0,
                0,
                width,
                height,
                scaledWidth,
                scaledHeight,
                middle(scaledWidth, outWidth),
                middle(scaledHeight, outHeight),
                outWidth,
                outHeight,
                false);
    }

    private static int longer(int side, int longer, int shorter) {
        return (int) Math.min(Integer.MAX_VALUE, (long) side * longer / shorter);
    }

    /// Half the difference, a half rounded to even as torchvision's centre crop does.
    private static int middle(int whole, int part) {
        return (int) Math.rint((whole - part) / 2.0);
    }

    /// The elements' type.
    public ElementType elements() {
        return pixels.type;
    }

    Pixels pixels() {
        return pixels;
    }

    Decoding decoding() {
        return decoding;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImageSpec that
                && resize.equals(that.resize)
                && cropWidth == that.cropWidth
                && cropHeight == that.cropHeight
                && pixels.equals(that.pixels)
                && decoding.equals(that.decoding);
    }

    @Override
    public int hashCode() {
        return Objects.hash(resize, cropWidth, cropHeight, pixels, decoding);
    }

    @Override
    public String toString() {
        return "ImageSpec[" + resize + (cropWidth > 0 ? ", crop " + cropWidth + " x " + cropHeight : "") + ", " + pixels
                + ", " + decoding + "]";
    }
}
