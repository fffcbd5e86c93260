package org.jspdl.media.image;

/// An antialiased triangle resize in double precision, written for clarity: the reference of the quality levels.
final class ReferenceResize {
    private ReferenceResize() {}

    /// Resizes interleaved RGB bytes as `placement` says; the window must lie inside of the resized box.
    static byte[] resize(byte[] rgb, int width, ImagePlacement placement) {
        byte[] out = new byte[placement.width() * placement.height() * 3];
        double ratioX = (double) placement.boxWidth() / placement.scaledWidth();
        double ratioY = (double) placement.boxHeight() / placement.scaledHeight();
        for (int y = 0; y < placement.height(); y++) {
            double centerY = (y + placement.top() + 0.5) * ratioY;
            for (int x = 0; x < placement.width(); x++) {
                double centerX = (x + placement.left() + 0.5) * ratioX;
                double[] sum = new double[4];
                for (int v = from(centerY, ratioY); v < to(centerY, ratioY, placement.boxHeight()); v++) {
                    double weightY = weight(v, centerY, ratioY);
                    for (int u = from(centerX, ratioX); u < to(centerX, ratioX, placement.boxWidth()); u++) {
                        double weight = weightY * weight(u, centerX, ratioX);
                        int at = 3 * ((v + placement.boxY()) * width + u + placement.boxX());
                        for (int c = 0; c < 3; c++) {
                            sum[c] += weight * (rgb[at + c] & 0xFF);
                        }
                        sum[3] += weight;
                    }
                }
                for (int c = 0; c < 3; c++) {
                    out[3 * (y * placement.width() + x) + c] = (byte) Math.round(sum[c] / sum[3]);
                }
            }
        }
        return out;
    }

    private static int from(double center, double ratio) {
        return Math.max(0, (int) Math.floor(center - Math.max(1, ratio)));
    }

    private static int to(double center, double ratio, int length) {
        return Math.min(length, (int) Math.ceil(center + Math.max(1, ratio)) + 1);
    }

    private static double weight(int sample, double center, double ratio) {
        return Math.max(0, 1 - Math.abs(sample + 0.5 - center) / Math.max(1, ratio));
    }
}
