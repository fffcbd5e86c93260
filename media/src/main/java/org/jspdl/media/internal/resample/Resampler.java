package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Turns the planes of a picture into the bytes of an output image, in one go: resize, crop, flip, color.
///
/// Every plane is resampled from its own resolution straight to the output's, and colors are converted there, so
/// the work depends on the output's size rather than on the picture's. Keeps its buffers between pictures; one thread
/// at a time.
public final class Resampler {
    private static final int STRIP_LONGS = PlaneReducer.STRIP / 8;

    private final PlaneReducer[] reducers = {
        new PlaneReducer(), new PlaneReducer(), new PlaneReducer(), new PlaneReducer()
    };
    private final TapsCache[] across = {new TapsCache(), new TapsCache()};
    private final TapsCache[] down = {new TapsCache(), new TapsCache()};
    private final FilterTaps[] acrossPlane = new FilterTaps[4];
    private final FilterTaps[] downPlane = new FilterTaps[4];
    private final ColumnWriter[] streams = {
        new ColumnWriter(), new ColumnWriter(), new ColumnWriter(), new ColumnWriter()
    };
    private final long[][] columns = new long[4][STRIP_LONGS];
    private final long[] scratch = new long[STRIP_LONGS];

    /// Resamples `picture` along the two axes, which are over the picture as it was decoded, into the window of
    /// `target`.
    ///
    /// @throws IllegalStateException if the picture has another size than the axes
    public void run(
            Picture picture,
            ResampleAxis x,
            ResampleAxis y,
            ResampleFilter filter,
            Precision precision,
            ResampleTarget target,
            MemorySegment memory) {
        x.check("columns", picture.width());
        y.check("rows", picture.height());
        int planes = target.channels() == ResampleTarget.Channels.GRAY && picture.model() == Picture.Model.YCBCR
                ? 1
                : picture.model().planes();
        for (int p = 0; p < planes; p++) {
            Picture.Plane plane = picture.plane(p);
            int role = Math.min(p, 1);
            acrossPlane[p] = across[role].get(x, plane.width, picture.across(p), filter, precision);
            downPlane[p] = down[role].get(y, plane.height, picture.down(p), filter, precision);
        }
        for (int from = 0; from < y.count(); from += PlaneReducer.STRIP) {
            int to = Math.min(y.count(), from + PlaneReducer.STRIP);
            for (int p = 0; p < planes; p++) {
                reducers[p].strip(picture.plane(p), downPlane[p], acrossPlane[p], from, to);
            }
            target.begin(streams, memory, from, to, y.count());
            int longs = (to - from + 7) >>> 3;
            for (int i = 0; i < x.count(); i++) {
                for (int p = 0; p < planes; p++) {
                    reducers[p].column(acrossPlane[p], i, columns[p], longs);
                }
                emit(planes == 1 ? Picture.Model.GRAY : picture.model(), target, longs);
            }
            for (int s = 0; s < target.streamCount(); s++) {
                streams[s].end();
            }
        }
    }

    private void emit(Picture.Model model, ResampleTarget target, int longs) {
        switch (target.channels()) {
            case RGB -> {
                channel(model, 0, target.stream(streams, 0), longs);
                channel(model, 1, target.stream(streams, 1), longs);
                channel(model, 2, target.stream(streams, 2), longs);
            }
            case BGR -> {
                channel(model, 2, target.stream(streams, 0), longs);
                channel(model, 1, target.stream(streams, 1), longs);
                channel(model, 0, target.stream(streams, 2), longs);
            }
            case RGBA -> {
                for (int color = 0; color < 3; color++) {
                    channel(model, color, target.stream(streams, color), longs);
                }
                alpha(model, target.stream(streams, 3), longs);
            }
            case GRAY -> {
                long[] out = streams[0].column();
                switch (model) {
                    case GRAY, YCBCR -> System.arraycopy(columns[0], 0, out, 0, longs);
                    case RGB, RGBA -> SwarSum.sum3(columns[0], columns[1], columns[2], 77, 150, 29, out, longs);
                }
                streams[0].next();
            }
        }
    }

    private void alpha(Picture.Model model, ColumnWriter stream, int longs) {
        if (model == Picture.Model.RGBA) {
            System.arraycopy(columns[3], 0, stream.column(), 0, longs);
        } else {
            Arrays.fill(stream.column(), 0, longs, -1);
        }
        stream.next();
    }

    /// Puts red (0), green (1) or blue (2) of the current column into `stream`.
    private void channel(Picture.Model model, int color, ColumnWriter stream, int longs) {
        long[] out = stream.column();
        switch (model) {
            case GRAY -> System.arraycopy(columns[0], 0, out, 0, longs);
            case RGB, RGBA -> System.arraycopy(columns[color], 0, out, 0, longs);
            case YCBCR -> {
                switch (color) {
                    case 0 -> JpegColor.red(columns[0], columns[2], out, longs);
                    case 1 -> JpegColor.green(columns[0], columns[1], columns[2], scratch, out, longs);
                    default -> JpegColor.blue(columns[0], columns[1], out, longs);
                }
            }
        }
        stream.next();
    }
}
