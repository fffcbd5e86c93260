package org.jspdl.media.image;

import java.util.random.RandomGenerator;

/// Which part of an image is seen and how large, for images of any size.
///
/// @param cropWidth  the crop's width, 0 for no crop
/// @param mirroring  the probability of exchanging left and right
record Framing(Resize resize, int cropWidth, int cropHeight, RandomView view, double mirroring) {

    /// Where an image goes when nothing is left to chance.
    Placement place(int width, int height) {
        if (view instanceof RandomView.ResizedCrop part) {
            return part.middle(width, height, cropWidth, cropHeight);
        }
        int scaledWidth = resize.scaledWidth(width, height);
        int scaledHeight = resize.scaledHeight(width, height);
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

    /// Where an image goes this time; draws nothing if nothing is random.
    Placement draw(int width, int height, RandomGenerator random) {
        Placement placement = switch (view) {
            case RandomView.Fixed() -> place(width, height);
            case RandomView.AnyCrop(int padding) -> {
                Placement centred = place(width, height);
                int top = anywhere(centred.scaledHeight(), centred.height(), padding, random);
                int left = anywhere(centred.scaledWidth(), centred.width(), padding, random);
                yield centred.at(left, top);
            }
            case RandomView.ResizedCrop part -> part.draw(width, height, cropWidth, cropHeight, random);
        };
        return mirroring > 0 && random.nextDouble() < mirroring ? placement.mirror() : placement;
    }

    /// The crop's first pixel: uniform where it fits, in the middle where it does not.
    private static int anywhere(int whole, int part, int padding, RandomGenerator random) {
        int room = whole + 2 * padding - part;
        return room <= 0 ? middle(whole, part) : random.nextInt(room + 1) - padding;
    }

    /// Half the difference, as torchvision's centre crop has it: a half is rounded to even, but down where there is
    /// too little.
    private static int middle(int whole, int part) {
        return whole >= part ? (int) Math.rint((whole - part) / 2.0) : -((part - whole) / 2);
    }

    boolean isFixedSize() {
        return cropWidth > 0 || resize instanceof Resize.Exact;
    }

    boolean isRandom() {
        return mirroring > 0 || !(view instanceof RandomView.Fixed);
    }

    Framing resize(Resize other) {
        return new Framing(other, cropWidth, cropHeight, view, mirroring);
    }

    Framing crop(int width, int height, RandomView other) {
        return new Framing(resize, width, height, other, mirroring);
    }

    Framing mirroring(double probability) {
        return new Framing(resize, cropWidth, cropHeight, view, probability);
    }
}
