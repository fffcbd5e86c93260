package org.jspdl.media.image;

import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.resample.ResampleAxis;
import org.jspdl.media.internal.resample.ResampleTarget;

/// A placement worked out for one picture: the axes to resample, as the picture is stored, and the window to write.
///
/// @param reduce     the picture is decoded at `1 / reduce` of its size
/// @param part       the part of the stored picture that is needed
/// @param transposed whether the target is a picture on its own that has to be transposed into the window at `left`,
///     `top`
/// @param covers     whether the window is the whole output
record ResamplePlan(
        ImagePlacement placement,
        int reduce,
        Region part,
        ResampleAxis x,
        ResampleAxis y,
        ResampleTarget target,
        boolean transposed,
        int left,
        int top,
        boolean covers) {
    /// The widest filter's, in output pixels.
    private static final int FILTER_REACH = 2;

    /// @param width  the stored picture's width
    /// @param height the stored picture's height
    /// @param exif   the orientation to undo, 1 to 8
    static ResamplePlan of(
            ImagePlacement placement,
            int reduce,
            int width,
            int height,
            int exif,
            boolean interleaved,
            ResampleTarget.Channels channels) {
        boolean transposed = Orientation.transposes(exif);
        int uprightWidth = transposed ? height : width;
        int uprightHeight = transposed ? width : height;
        int fromX = Math.max(0, -placement.left());
        int toX = Math.max(fromX, Math.min(placement.width(), placement.scaledWidth() - placement.left()));
        int fromY = Math.max(0, -placement.top());
        int toY = Math.max(fromY, Math.min(placement.height(), placement.scaledHeight() - placement.top()));
        ResampleAxis across = new ResampleAxis(
                uprightWidth,
                placement.boxX(),
                placement.boxWidth(),
                placement.scaledWidth(),
                placement.left() + fromX,
                toX - fromX,
                placement.flipped());
        ResampleAxis down = new ResampleAxis(
                uprightHeight,
                placement.boxY(),
                placement.boxHeight(),
                placement.scaledHeight(),
                placement.top() + fromY,
                toY - fromY,
                false);
        ResampleAxis columns = transposed ? down : across;
        ResampleAxis rows = transposed ? across : down;
        ResampleAxis x = Orientation.reversesColumns(exif) ? columns.reversed() : columns;
        ResampleAxis y = Orientation.reversesRows(exif) ? rows.reversed() : rows;
        int left = placement.flipped() ? placement.width() - toX : fromX;
        boolean covers = across.count() == placement.width() && down.count() == placement.height();
        // Rows are made from the top down, so a flipped column axis is undone when rows are stored.
        ResampleTarget target = transposed
                ? new ResampleTarget(interleaved, channels, x.count(), y.count(), 0, 0, y.flipped())
                : new ResampleTarget(
                        interleaved, channels, placement.width(), placement.height(), left, fromY, y.flipped());
        return new ResamplePlan(
                placement,
                reduce,
                new Region(
                        x.begin(FILTER_REACH, reduce),
                        y.begin(FILTER_REACH, reduce),
                        x.end(FILTER_REACH, reduce),
                        y.end(FILTER_REACH, reduce)),
                x.reduced(reduce),
                y.unflipped().reduced(reduce),
                target,
                transposed,
                left,
                fromY,
                covers);
    }

    /// Whether anything of the picture is seen.
    boolean isEmpty() {
        return x.count() == 0 || y.count() == 0;
    }
}
