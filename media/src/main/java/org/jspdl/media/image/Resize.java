package org.jspdl.media.image;

/// How large an image becomes before it is cropped.
sealed interface Resize {
    /// The width that an image of this size becomes.
    int scaledWidth(int width, int height);

    /// The height that an image of this size becomes.
    int scaledHeight(int width, int height);

    /// As it is.
    record Original() implements Resize {
        @Override
        public int scaledWidth(int width, int height) {
            return width;
        }

        @Override
        public int scaledHeight(int width, int height) {
            return height;
        }
    }

    /// The shorter side becomes `pixels`, the other one keeps the aspect ratio (rounded down).
    record ShorterSide(int pixels) implements Resize {
        @Override
        public int scaledWidth(int width, int height) {
            return width <= height ? pixels : longer(width, height);
        }

        @Override
        public int scaledHeight(int width, int height) {
            return width <= height ? longer(height, width) : pixels;
        }

        private int longer(int longer, int shorter) {
            return (int) Math.min(Integer.MAX_VALUE, (long) pixels * longer / shorter);
        }
    }

    /// Exactly this size, whatever the aspect ratio.
    record Exact(int width, int height) implements Resize {
        @Override
        public int scaledWidth(int before, int beforeHeight) {
            return width;
        }

        @Override
        public int scaledHeight(int beforeWidth, int before) {
            return height;
        }
    }

    /// As large as fits into this size at its own aspect ratio (rounded to the nearest pixel).
    record Fit(int width, int height) implements Resize {
        @Override
        public int scaledWidth(int before, int beforeHeight) {
            return isWider(before, beforeHeight) ? width : nearest(before, height, beforeHeight);
        }

        @Override
        public int scaledHeight(int beforeWidth, int before) {
            return isWider(beforeWidth, before) ? nearest(before, width, beforeWidth) : height;
        }

        private boolean isWider(int otherWidth, int otherHeight) {
            return (long) otherWidth * height >= (long) otherHeight * width;
        }

        private static int nearest(int pixels, int numerator, int denominator) {
            return (int) Math.max(1, Math.round((double) pixels * numerator / denominator));
        }
    }
}
