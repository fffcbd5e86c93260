package org.jspdl.media.image;

import java.util.random.RandomGenerator;

/// Which part of an image is seen and how large, for images of any size.
///
/// @param cropWidth  the crop's width, 0 for no crop
/// @param flipping  the probability of exchanging left and right
record CropGeometry(Resize resize, int cropWidth, int cropHeight, CropPolicy view, double flipping) {

    /// Where an image goes when nothing is left to chance.
    ImagePlacement place(int width, int height) {
        if (view instanceof CropPolicy.ResizedCrop part) {
            return part.middle(width, height, cropWidth, cropHeight);
        }
        int scaledWidth = resize.scaledWidth(width, height);
        int scaledHeight = resize.scaledHeight(width, height);
        int outWidth = cropWidth > 0 ? cropWidth : scaledWidth;
        int outHeight = cropWidth > 0 ? cropHeight : scaledHeight;
        return new ImagePlacement(
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

    /// Where an image goes this time; draws nothing if nothing is random.
    ImagePlacement sample(int width, int height, RandomGenerator random) {
        ImagePlacement placement = switch (view) {
            case CropPolicy.Fixed() -> place(width, height);
            case CropPolicy.AnyCrop(int padding) -> {
                ImagePlacement centerd = place(width, height);
                int top = anywhere(centerd.scaledHeight(), centerd.height(), padding, random);
                int left = anywhere(centerd.scaledWidth(), centerd.width(), padding, random);
                yield centerd.at(left, top);
            }
            case CropPolicy.ResizedCrop part -> part.sample(width, height, cropWidth, cropHeight, random);
        };
        return flipping > 0 && random.nextDouble() < flipping ? placement.flip() : placement;
    }

    /// The crop's first pixel: uniform where it fits, in the middle where it does not.
    private static int anywhere(int whole, int part, int padding, RandomGenerator random) {
        int room = whole + 2 * padding - part;
        return room <= 0 ? middle(whole, part) : random.nextInt(room + 1) - padding;
    }

    /// Half the difference, as torchvision's center crop has it: a half is rounded to even, but down where there is
    /// too little.
    private static int middle(int whole, int part) {
        return whole >= part ? (int) Math.rint((whole - part) / 2.0) : -((part - whole) / 2);
    }

    boolean isFixedSize() {
        return cropWidth > 0 || resize instanceof Resize.Exact;
    }

    boolean isRandom() {
        return flipping > 0 || !(view instanceof CropPolicy.Fixed);
    }

    CropGeometry resize(Resize other) {
        return new CropGeometry(other, cropWidth, cropHeight, view, flipping);
    }

    CropGeometry crop(int width, int height, CropPolicy other) {
        return new CropGeometry(resize, width, height, other, flipping);
    }

    CropGeometry flipping(double probability) {
        return new CropGeometry(resize, cropWidth, cropHeight, view, probability);
    }
}
