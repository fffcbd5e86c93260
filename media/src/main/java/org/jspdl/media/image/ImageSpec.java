package org.jspdl.media.image;

import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// What an image is to become: its size, channels, element type and layout, and how carefully. Immutable.
///
/// Begin with the size ([#shorterSide], [#exact], [#original]) and refine: by default the output is RGB, unsigned
/// bytes, channels last, resized by an antialiased triangle filter.
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

    /// The image at its own size.
    public static ImageSpec original() {
        return of(new Resize.Original());
    }

    /// The image resized so that its shorter side has `pixels`; the longer one keeps the aspect ratio, rounded
    /// down.
    public static ImageSpec shorterSide(int pixels) {
        return of(new Resize.ShorterSide(atLeastOne("pixels", pixels)));
    }

    /// The image resized to exactly this size.
    public static ImageSpec exact(int width, int height) {
        return of(new Resize.Exact(atLeastOne("width", width), atLeastOne("height", height)));
    }

    /// The image as large as fits into this size at its own aspect ratio.
    public static ImageSpec fit(int width, int height) {
        return of(new Resize.Fit(atLeastOne("width", width), atLeastOne("height", height)));
    }

    /// The image as large as fits into this size, in the middle; the rest is black.
    public static ImageSpec pad(int width, int height) {
        return fit(width, height).centerCrop(width, height);
    }

    /// A random part of the image, resized to this size, with torchvision's distribution: an area of `minArea` to
    /// `maxArea` of the image's and an aspect ratio of `minRatio` to `maxRatio`.
    ///
    /// Without a random generator the largest such part in the middle.
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

    /// A random part of 8 to 100 % of the image's area with an aspect ratio of 3:4 to 4:3, resized to this size.
    public static ImageSpec randomResizedCrop(int width, int height) {
        return randomResizedCrop(width, height, 0.08, 1, 3.0 / 4, 4.0 / 3);
    }

    private static int atLeastOne(String name, int pixels) {
        if (pixels < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 pixel but was " + pixels);
        }
        return pixels;
    }

    /// This, cropped to a window in the middle; where the image is smaller the rest is black.
    public ImageSpec centerCrop(int width, int height) {
        return with(framing.crop(atLeastOne("width", width), atLeastOne("height", height), new CropPolicy.Fixed()));
    }

    /// This, cropped to a window that lies anywhere in the resized image with `padding` black pixels around it.
    public ImageSpec randomCrop(int width, int height, int padding) {
        if (padding < 0) {
            throw new IllegalArgumentException("padding must not be negative but was " + padding);
        }
        return with(framing.crop(
                atLeastOne("width", width), atLeastOne("height", height), new CropPolicy.AnyCrop(padding)));
    }

    /// This, with left and right exchanged at a probability from 0 to 1.
    public ImageSpec randomFlip(double probability) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability must be in 0..1 but was " + probability);
        }
        return with(framing.flipping(probability));
    }

    /// This with random changes of color, with torchvision's distribution and in random order.
    ///
    /// Brightness, contrast and saturation change by factors from `1 - x` (at least 0) to `1 + x`.
    /// The hue turns by `-hue` to `hue`, at most 0.5.
    public ImageSpec colorJitter(double brightness, double contrast, double saturation, double hue) {
        return with(new ColorJitter(brightness, contrast, saturation, hue, jitter.grayscale()));
    }

    /// This, gray at a probability from 0 to 1; the channels stay as many.
    public ImageSpec randomGrayscale(double probability) {
        return with(new ColorJitter(
                jitter.brightness(), jitter.contrast(), jitter.saturation(), jitter.hue(), probability));
    }

    /// This with other channels.
    public ImageSpec channels(Channels channels) {
        return with(pixels.channels(channels));
    }

    /// This with other elements: `UINT8`, `UINT16` from 0 to 65,535, or `FLOAT32`, `FLOAT16`, `BFLOAT16` for values
    /// from 0 to 1 or normalized.
    ///
    /// Files of more than 8 bits keep their precision in all but `UINT8`, unless colors are jittered.
    public ImageSpec elements(ElementType type) {
        return with(pixels.type(type));
    }

    /// This in another layout.
    public ImageSpec layout(Layout layout) {
        return with(pixels.layout(layout));
    }

    /// This with normalized elements, which must be of a floating-point type.
    public ImageSpec normalization(Normalization normalization) {
        return with(pixels.normalization(normalization));
    }

    /// This at another quality.
    public ImageSpec quality(Quality quality) {
        return with(decoding.quality(quality));
    }

    /// This resized by another filter.
    public ImageSpec interpolation(Interpolation interpolation) {
        return with(decoding.interpolation(interpolation));
    }

    /// This with the stored orientation applied (the default) or ignored.
    public ImageSpec orientation(Orientation orientation) {
        return with(decoding.orientation(orientation));
    }

    /// This, refusing damaged files (the default) or keeping what can be decoded of them.
    public ImageSpec damage(Damage damage) {
        return with(decoding.damage(damage));
    }

    /// This, refusing images of more than `maxPixels` pixels; 100 million by default.
    public ImageSpec maxPixels(long maxPixels) {
        return with(decoding.maxPixels(maxPixels));
    }

    /// This with transparent images put over a color, given by values from 0 to 255.
    ///
    /// Without it transparency is dropped, and what the file keeps behind it is seen, unless the channels are
    /// `RGBA`.
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

    /// Whether every image becomes the same shape.
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

    /// The shape that an image of `width` x `height` pixels becomes.
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

    /// Where an image of `width` x `height` pixels goes when nothing is left to chance.
    public ImagePlacement place(int width, int height) {
        return framing.place(width, height);
    }

    /// What happens to an image of `width` x `height` pixels this time: a function of the spec, the size and
    /// `random`.
    public ImageTransform draw(int width, int height, RandomGenerator random) {
        return new ImageTransform(framing.draw(width, height, random), jitter.draw(random));
    }

    /// Whether [#draw] gives different transforms for one image.
    public boolean isRandom() {
        return framing.isRandom() || !jitter.isNone();
    }

    /// The elements' type.
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

    /// Where the channels lie.
    public Layout layout() {
        return pixels.layout();
    }

    /// How floating-point elements are scaled and shifted.
    public Normalization normalization() {
        return pixels.normalization();
    }

    /// How close to the reference the result is.
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

    /// How many pixels an image may have.
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
