package org.jspdl.media.image;

import org.jspdl.media.internal.resample.Axis;
import org.jspdl.media.internal.resample.Target;

/// A placement worked out for a picture decoded at a certain size: the axes to resample and the window to write.
record Frame(Placement placement, Axis x, Axis y, Target target, boolean covers) {

    static Frame of(
            Placement placement,
            int reduce,
            int sourceWidth,
            int sourceHeight,
            boolean interleaved,
            Target.Channels channels) {
        int fromX = Math.max(0, -placement.left());
        int toX = Math.min(placement.width(), placement.scaledWidth() - placement.left());
        int fromY = Math.max(0, -placement.top());
        int toY = Math.min(placement.height(), placement.scaledHeight() - placement.top());
        Axis x = new Axis(
                sourceWidth,
                placement.boxX(),
                placement.boxWidth(),
                placement.scaledWidth(),
                placement.left() + fromX,
                Math.max(0, toX - fromX),
                placement.mirrored());
        Axis y = new Axis(
                sourceHeight,
                placement.boxY(),
                placement.boxHeight(),
                placement.scaledHeight(),
                placement.top() + fromY,
                Math.max(0, toY - fromY),
                false);
        int left = placement.mirrored() ? placement.width() - Math.max(fromX, toX) : fromX;
        Target target = new Target(interleaved, channels, placement.width(), placement.height(), left, fromY, false);
        boolean covers = x.count() == placement.width() && y.count() == placement.height();
        return new Frame(placement, x.reduced(reduce), y.reduced(reduce), target, covers);
    }

    /// Whether anything of the picture is seen.
    boolean isEmpty() {
        return x.count() == 0 || y.count() == 0;
    }
}
