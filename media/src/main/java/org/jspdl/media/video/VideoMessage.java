package org.jspdl.media.video;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Interpolation;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.media.image.Orientation;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.isolation.SpecMessage;
import org.jspdl.memory.ElementType;

/// How specs, placements, indices and choices of frames are written for a helper of video, or by it, and read.
final class VideoMessage {
    /// What a helper is asked for.
    static final int WINDOW = 1;
    static final int FRAMES = 2;
    static final int CLIPS = 3;
    static final int INDEX = 4;
    /// What a helper asks.
    static final int PLACE = 5;
    static final int CHOOSE = 6;

    private static final int COLORS = 3;

    private VideoMessage() {}

    /// Writes all of a spec but where frames go, for which the helper asks.
    static void write(VideoSpec spec, DataOutputStream out) throws IOException {
        ImageSpec frame = spec.frame();
        for (Enum<?> each : List.of(
                frame.channels(),
                frame.elements(),
                frame.layout(),
                frame.quality(),
                frame.interpolation(),
                frame.orientation())) {
            SpecMessage.write(each.name(), out);
        }
        for (int c = 0; c < COLORS; c++) {
            out.writeFloat(frame.normalization().mean()[c]);
            out.writeFloat(frame.normalization().deviation()[c]);
        }
        SpecMessage.write(spec.window(), out);
        out.writeBoolean(spec.frameRate().isPresent());
        if (spec.frameRate().isPresent()) {
            SpecMessage.write(spec.frameRate().get(), out);
        }
        out.writeInt(spec.frames());
        out.writeBoolean(spec.isChannelsOutermost());
        SpecMessage.write(spec.decoding(), out);
    }

    static VideoSpec spec(DataInputStream in) throws IOException {
        ImageSpec frame = ImageSpec.original()
                .channels(Channels.valueOf(SpecMessage.text(in)))
                .elements(ElementType.valueOf(SpecMessage.text(in)))
                .layout(Layout.valueOf(SpecMessage.text(in)))
                .quality(Quality.valueOf(SpecMessage.text(in)))
                .interpolation(Interpolation.valueOf(SpecMessage.text(in)))
                .orientation(Orientation.valueOf(SpecMessage.text(in)));
        float[] mean = new float[COLORS];
        float[] deviation = new float[COLORS];
        for (int c = 0; c < COLORS; c++) {
            mean[c] = in.readFloat();
            deviation[c] = in.readFloat();
        }
        VideoSpec spec = VideoSpec.of(frame.normalization(Normalization.of(mean, deviation)))
                .window(SpecMessage.window(in));
        spec = in.readBoolean() ? spec.frameRate(SpecMessage.rational(in)) : spec;
        int frames = in.readInt();
        spec = frames > 0 ? spec.frames(frames) : spec;
        spec = in.readBoolean() ? spec.channelsOutermost() : spec;
        return spec.decoding(SpecMessage.decoding(in));
    }

    static void write(ImagePlacement placement, DataOutputStream out) throws IOException {
        for (int each : new int[] {
            placement.boxX(),
            placement.boxY(),
            placement.boxWidth(),
            placement.boxHeight(),
            placement.scaledWidth(),
            placement.scaledHeight(),
            placement.left(),
            placement.top(),
            placement.width(),
            placement.height()
        }) {
            out.writeInt(each);
        }
        out.writeBoolean(placement.flipped());
    }

    static ImagePlacement placement(DataInputStream in) throws IOException {
        return new ImagePlacement(
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readBoolean());
    }

    static void write(FrameIndex index, DataOutputStream out) throws IOException {
        out.writeBoolean(index.lacksFrames());
        index.writeTo(out);
    }

    static FrameIndex index(DataInputStream in) throws IOException {
        boolean lacksFrames = in.readBoolean();
        return FrameIndex.readFrom(in).lackingFrames(lacksFrames);
    }

    static void write(List<int[]> clips, DataOutputStream out) throws IOException {
        out.writeInt(clips.size());
        for (int[] clip : clips) {
            out.writeInt(clip.length);
            for (int frame : clip) {
                out.writeInt(frame);
            }
        }
    }

    /// Reads numbers of frames.
    static List<int[]> clips(DataInputStream in) throws IOException {
        List<int[]> clips = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            int[] clip = new int[in.readInt()];
            for (int i = 0; i < clip.length; i++) {
                clip[i] = in.readInt();
            }
            clips.add(clip);
        }
        return clips;
    }

    static Optional<Integer> next(DataInputStream in) throws IOException {
        return in.available() >= Integer.BYTES ? Optional.of(in.readInt()) : Optional.empty();
    }
}
