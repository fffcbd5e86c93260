package org.jspdl.media.image;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// How images are decoded: output size, augmentation, channels, element type, layout and quality. Immutable.
///
/// Start with the size ([#shorterSide], [#exact], [#original]) and refine it. The default output is RGB, unsigned
/// bytes, channels last, resized with an antialiased bilinear filter.
public final class ImageSpec {
    private final CropGeometry framing;
    private final ColorJitter jitter;
    private final PixelSettings pixels;
    private final DecodeSettings decoding;

    private ImageSpec(CropGeometry framing, ColorJitter jitter, PixelSettings pixels, DecodeSettings decoding) {
        this.framing = framing;
        this.jitter = jitter;
        this.pixels = pixels;
        this.decoding = decoding;
    }

    private static ImageSpec of(Resize resize) {
        return new ImageSpec(
                new CropGeometry(resize, 0, 0, new CropPolicy.Fixed(), 0),
                ColorJitter.none(),
                PixelSettings.DEFAULT,
                DecodeSettings.DEFAULT);
    }

    /// Keeps the size of the image.
    public static ImageSpec original() {
        return of(new Resize.Original());
    }

    /// Resizes the shorter side to `pixels`. The longer side keeps the aspect ratio, rounded down.
    public static ImageSpec shorterSide(int pixels) {
        return of(new Resize.ShorterSide(atLeastOne("pixels", pixels)));
    }

    /// Resizes to exactly this size, without keeping the aspect ratio.
    public static ImageSpec exact(int width, int height) {
        return of(new Resize.Exact(atLeastOne("width", width), atLeastOne("height", height)));
    }

    /// Resizes to the largest size that fits into this one, keeping the aspect ratio.
    public static ImageSpec fit(int width, int height) {
        return of(new Resize.Fit(atLeastOne("width", width), atLeastOne("height", height)));
    }

    /// Crops a random part of the image and resizes it to this size, as torchvision's `RandomResizedCrop`. The part
    /// covers `minArea` to `maxArea` of the image and has an aspect ratio of `minRatio` to `maxRatio`.
    ///
    /// Without a random generator, the largest such part in the center.
    public static ImageSpec randomResizedCrop(
            int width, int height, double minArea, double maxArea, double minRatio, double maxRatio) {
        if (!(minArea > 0 && minArea <= maxArea && maxArea <= 1 && minRatio > 0 && minRatio <= maxRatio)) {
            throw new IllegalArgumentException(
                    "areas must be in 0..1 and ratios positive, in ascending order, but were " + minArea + " to "
                            + maxArea + " and " + minRatio + " to " + maxRatio);
        }
        ImageSpec spec = of(new Resize.Exact(atLeastOne("width", width), atLeastOne("height", height)));
        return spec.with(
                spec.framing.crop(width, height, new CropPolicy.ResizedCrop(minArea, maxArea, minRatio, maxRatio)));
    }

    /// The same for 8 to 100 % of the area and aspect ratios of 3:4 to 4:3, torchvision's defaults.
    public static ImageSpec randomResizedCrop(int width, int height) {
        return randomResizedCrop(width, height, 0.08, 1, 3.0 / 4, 4.0 / 3);
    }

    private static int atLeastOne(String name, int pixels) {
        if (pixels < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 pixel but was " + pixels);
        }
        return pixels;
    }

    /// Crops a centered window. Where the image is smaller, the rest is black.
    public ImageSpec centerCrop(int width, int height) {
        return with(framing.crop(atLeastOne("width", width), atLeastOne("height", height), new CropPolicy.Fixed()));
    }

    /// Crops a window at a random position of the resized image with `padding` black pixels around it.
    public ImageSpec randomCrop(int width, int height, int padding) {
        if (padding < 0) {
            throw new IllegalArgumentException("padding must not be negative but was " + padding);
        }
        return with(framing.crop(
                atLeastOne("width", width), atLeastOne("height", height), new CropPolicy.AnyCrop(padding)));
    }

    /// Flips horizontally with a probability from 0 to 1.
    public ImageSpec randomFlip(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability must be in 0..1 but was " + probability);
        }
        return with(framing.flipping(probability));
    }

    /// Changes colors at random, as torchvision's `ColorJitter`, in random order.
    ///
    /// Brightness, contrast and saturation change by factors from `1 - x` (at least 0) to `1 + x`, the hue by
    /// `-hue` to `hue`, where `hue` is at most 0.5.
    public ImageSpec colorJitter(double brightness, double contrast, double saturation, double hue) {
        return with(new ColorJitter(brightness, contrast, saturation, hue, jitter.grayscale()));
    }

    /// Converts to grayscale with a probability from 0 to 1. The number of channels stays the same.
    public ImageSpec randomGrayscale(double probability) {
        return with(new ColorJitter(
                jitter.brightness(), jitter.contrast(), jitter.saturation(), jitter.hue(), probability));
    }

    /// Sets the channels. Default: RGB.
    public ImageSpec channels(Channels channels) {
        return with(pixels.channels(channels));
    }

    /// Sets the element type: `UINT8` (default), `UINT16` from 0 to 65,535, or `FLOAT32`, `FLOAT16`, `BFLOAT16` for
    /// values from 0 to 1 or normalized values.
    ///
    /// Files with more than 8 bits keep their precision in every type but `UINT8`, unless colors are jittered.
    public ImageSpec elements(ElementType type) {
        return with(pixels.type(type));
    }

    /// Sets the layout. Default: NHWC.
    public ImageSpec layout(Layout layout) {
        return with(pixels.layout(layout));
    }

    /// The same up to the last step, in which bytes become elements: `UINT8`, not normalized.
    /// [ImageDecoder#convertInto] is that step.
    public ImageSpec asBytes() {
        return elements(ElementType.UINT8).normalization(Normalization.none());
    }

    /// Normalizes the elements, which must be of a floating-point type.
    public ImageSpec normalization(Normalization normalization) {
        return with(pixels.normalization(normalization));
    }

    /// Sets the quality.
    public ImageSpec quality(Quality quality) {
        return with(decoding.quality(quality));
    }

    /// Sets the filter that resizes.
    public ImageSpec interpolation(Interpolation interpolation) {
        return with(decoding.interpolation(interpolation));
    }

    /// Applies the EXIF orientation (default) or ignores it.
    public ImageSpec orientation(Orientation orientation) {
        return with(decoding.orientation(orientation));
    }

    /// Refuses damaged files (default), or keeps what can be decoded of them.
    public ImageSpec damage(Damage damage) {
        return with(decoding.damage(damage));
    }

    /// Refuses images with more than `maxPixels` pixels. Default: 100 million.
    public ImageSpec maxPixels(long maxPixels) {
        return with(decoding.maxPixels(maxPixels));
    }

    /// Composes transparent images over a color, given by values from 0 to 255.
    ///
    /// Without a background, alpha is dropped and the stored colors are kept, unless the channels are `RGBA`.
    public ImageSpec background(int red, int green, int blue) {
        return with(decoding.background(red, green, blue));
    }

    private ImageSpec with(CropGeometry framing) {
        return new ImageSpec(framing, jitter, pixels, decoding);
    }

    private ImageSpec with(ColorJitter jitter) {
        return new ImageSpec(framing, jitter, pixels, decoding);
    }

    private ImageSpec with(PixelSettings pixels) {
        return new ImageSpec(framing, jitter, pixels, decoding);
    }

    private ImageSpec with(DecodeSettings decoding) {
        return new ImageSpec(framing, jitter, pixels, decoding);
    }

    /// Whether all outputs have the same shape.
    public boolean isFixedSize() {
        return framing.isFixedSize();
    }

    /// The shape of one image of a fixed size: height, width, channels in the layout's order.
    ///
    /// @throws IllegalStateException if the size depends on the image
    public Shape rowShape() {
        if (!framing.isFixedSize()) {
            throw new IllegalStateException(
                    "the size of " + this + " depends on the image; give a crop or an exact size");
        }
        return shapeOf(1, 1);
    }

    /// The bytes of one image of a fixed size.
    ///
    /// @throws IllegalStateException if the size depends on the image
    public long rowBytes() {
        return Tensor.byteSize(pixels.type(), rowShape());
    }

    /// The output shape of an image of `width` x `height` pixels.
    public Shape shapeOf(int width, int height) {
        ImagePlacement placement = place(width, height);
        return shape(placement.width(), placement.height());
    }

    private Shape shape(long width, long height) {
        return switch (pixels.layout()) {
            case NHWC -> Shape.of(height, width, pixels.channels().count());
            case NCHW -> Shape.of(pixels.channels().count(), height, width);
        };
    }

    /// The placement of an image of `width` x `height` pixels without a random generator.
    public ImagePlacement place(int width, int height) {
        return framing.place(width, height);
    }

    /// Samples the random parameters for an image of `width` x `height` pixels: a function of the spec, the size
    /// and `random`.
    public ImageTransform sample(int width, int height, RandomGenerator random) {
        return new ImageTransform(framing.sample(width, height, random), jitter.sample(random));
    }

    /// Whether [#sample] gives different transforms for one image.
    public boolean isRandom() {
        return framing.isRandom() || !jitter.isNone();
    }

    /// The element type.
    public ElementType elements() {
        return pixels.type();
    }

    /// Whether more than 8 bits of a file make a difference.
    boolean isHighBitDepth() {
        return pixels.type() != ElementType.UINT8 && jitter.isNone();
    }

    DecodeMode decodeMode() {
        return new DecodeMode(
                pixels.channels() == Channels.RGBA || decoding.hasBackground(),
                decoding.damage() == Damage.KEPT,
                decoding.quality() == Quality.FASTEST);
    }

    /// The channels of a pixel.
    public Channels channels() {
        return pixels.channels();
    }

    /// The layout.
    public Layout layout() {
        return pixels.layout();
    }

    /// The normalization of floating-point elements.
    public Normalization normalization() {
        return pixels.normalization();
    }

    /// The quality.
    public Quality quality() {
        return decoding.quality();
    }

    /// The filter that resizes.
    public Interpolation interpolation() {
        return decoding.interpolation();
    }

    /// Whether the stored orientation is applied.
    public Orientation orientation() {
        return decoding.orientation();
    }

    /// The most pixels that an image may have.
    public long maxPixels() {
        return decoding.maxPixels();
    }

    PixelSettings pixels() {
        return pixels;
    }

    DecodeSettings decoding() {
        return decoding;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ImageSpec that
                && framing.equals(that.framing)
                && jitter.equals(that.jitter)
                && pixels.equals(that.pixels)
                && decoding.equals(that.decoding);
    }

    @Override
    public int hashCode() {
        return Objects.hash(framing, jitter, pixels, decoding);
    }

    @Override
    public String toString() {
        return "ImageSpec[" + framing + ", " + jitter + ", " + pixels + ", " + decoding + "]";
    }
}
