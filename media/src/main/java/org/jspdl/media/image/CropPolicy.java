package org.jspdl.media.image;

import java.util.random.RandomGenerator;

/// Which part of an image is cropped: a fixed one, or one sampled for each image.
sealed interface CropPolicy {
    /// Nothing: the crop is in the middle.
    record Fixed() implements CropPolicy {}

    /// The crop lies anywhere in the resized image with `padding` black pixels around it.
    record AnyCrop(int padding) implements CropPolicy {}

    /// A part of the image of random area and aspect ratio, resized to the crop's size.
    record ResizedCrop(double minArea, double maxArea, double minRatio, double maxRatio) implements CropPolicy {
        private static final int ATTEMPTS = 10;

        /// Where an image of this size goes, with torchvision's distribution.
        ImagePlacement sample(int width, int height, int cropWidth, int cropHeight, RandomGenerator random) {
            double area = (double) width * height;
            double lowest = Math.log(minRatio);
            double highest = Math.log(maxRatio);
            for (int i = 0; i < ATTEMPTS; i++) {
                double target = area * (minArea + (maxArea - minArea) * random.nextDouble());
                double ratio = Math.exp(lowest + (highest - lowest) * random.nextDouble());
                int boxWidth = (int) Math.rint(Math.sqrt(target * ratio));
                int boxHeight = (int) Math.rint(Math.sqrt(target / ratio));
                if (boxWidth > 0 && boxWidth <= width && boxHeight > 0 && boxHeight <= height) {
                    int top = random.nextInt(height - boxHeight + 1);
                    int left = random.nextInt(width - boxWidth + 1);
                    return ImagePlacement.of(left, top, boxWidth, boxHeight, cropWidth, cropHeight);
                }
            }
            return middle(width, height, cropWidth, cropHeight);
        }

        /// The largest part in the middle whose aspect ratio is allowed.
        ImagePlacement middle(int width, int height, int cropWidth, int cropHeight) {
            double ratio = (double) width / height;
            int boxWidth = ratio > maxRatio ? Math.max(1, (int) Math.rint(height * maxRatio)) : width;
            int boxHeight = ratio < minRatio ? Math.max(1, (int) Math.rint(width / minRatio)) : height;
            return ImagePlacement.of(
                    (width - boxWidth) / 2, (height - boxHeight) / 2, boxWidth, boxHeight, cropWidth, cropHeight);
        }
    }
}
