package org.jspdl.media.internal.ffmpeg;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import org.bytedeco.ffmpeg.avcodec.AVBSFContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avfilter.AVFilterGraph;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVOutputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVChannelLayout;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The offsets that we read and write structs at, against those of the C compiler, as JavaCPP's presets know them.
class OffsetsTest {
    @ParameterizedTest
    @CsvSource({
        "AvFormat, PB, pb",
        "AvFormat, INPUT_FORMAT, iformat",
        "AvFormat, STREAM_COUNT, nb_streams",
        "AvFormat, STREAMS, streams",
        "AvFormat, START, start_time",
        "AvFormat, DURATION, duration",
        "AvFormat, BIT_RATE, bit_rate",
        "AvFormat, FLAGS, flags",
        "AvFormat, METADATA, metadata",
        "AvMux, OUTPUT_FORMAT, oformat",
        "AvStream, NUMBER, id",
        "AvStream, PARAMETERS, codecpar",
        "AvStream, TIME_BASE, time_base",
        "AvStream, START, start_time",
        "AvStream, DURATION, duration",
        "AvStream, FRAMES, nb_frames",
        "AvStream, DISPOSITION, disposition",
        "AvStream, DISCARD, discard",
        "AvStream, ASPECT, sample_aspect_ratio",
        "AvStream, METADATA, metadata",
        "AvStream, AVERAGE_RATE, avg_frame_rate",
        "AvStream, GUESSED_RATE, r_frame_rate",
        "AvParameters, TYPE, codec_type",
        "AvParameters, CODEC, codec_id",
        "AvParameters, TAG, codec_tag",
        "AvParameters, EXTRA_DATA, extradata",
        "AvParameters, EXTRA_SIZE, extradata_size",
        "AvParameters, SIDE_DATA, coded_side_data",
        "AvParameters, FORMAT, format",
        "AvParameters, BIT_RATE, bit_rate",
        "AvParameters, PROFILE, profile",
        "AvParameters, WIDTH, width",
        "AvParameters, HEIGHT, height",
        "AvParameters, COLOR_SPACE, color_space",
        "AvParameters, CHANNEL_LAYOUT, ch_layout",
        "AvParameters, SAMPLE_RATE, sample_rate",
        "AvParameters, BLOCK_ALIGN, block_align",
        "AvPacket, BUFFER, buf",
        "AvPacket, PTS, pts",
        "AvPacket, DTS, dts",
        "AvPacket, DATA, data",
        "AvPacket, SIZE, size",
        "AvPacket, STREAM, stream_index",
        "AvPacket, FLAGS, flags",
        "AvPacket, SIDE_DATA, side_data",
        "AvPacket, SIDE_DATA_COUNT, side_data_elems",
        "AvPacket, DURATION, duration",
        "AvPacket, POSITION, pos",
        "AvPacket, TIME_BASE, time_base",
        "AvFrame, EXTENDED_DATA, extended_data",
        "AvFrame, SAMPLES, nb_samples",
        "AvFrame, PICTURE_TYPE, pict_type",
        "AvFrame, PTS, pts",
        "AvFrame, TIME_BASE, time_base",
        "AvFrame, SAMPLE_RATE, sample_rate",
        "AvFrame, BUFFER, buf",
        "AvFrame, FLAGS, flags",
        "AvFrame, CHROMA_LOCATION, chroma_location",
        "AvFrame, BEST_EFFORT_TIMESTAMP, best_effort_timestamp",
        "AvFrame, CHANNEL_LAYOUT, ch_layout",
        "AvFrame, DURATION, duration",
        "AvCoder, FLAGS, flags",
        "AvCoder, TIME_BASE, time_base",
        "AvCoder, PACKET_TIME_BASE, pkt_timebase",
        "AvCoder, FRAME_RATE, framerate",
        "AvCoder, FRAME_SIZE, frame_size",
        "AvCoder, SKIP_FRAME, skip_frame",
        "GrayBuffers, GET_BUFFER, get_buffer2",
        "GrayBuffers, OPAQUE, opaque",
        "AvIo, BUFFER, buffer",
        "AvBitstream, IN, par_in",
        "AvBitstream, OUT, par_out",
        "AvBitstream, TIME_BASE_IN, time_base_in",
        "AvBitstream, TIME_BASE_OUT, time_base_out",
        "AvFilter, THREADS, nb_threads"
    })
    void aFieldIsWhereTheCompilerPutIt(String ours, String constant, String field) throws Exception {
        assertThat(constant(ours, constant)).isEqualTo(Loader.offsetof(struct(ours, constant), field));
    }

    @ParameterizedTest
    @CsvSource({
        "AvFormat, BYTE_SIZE",
        "AvStream, BYTE_SIZE",
        "AvParameters, BYTE_SIZE",
        "AvPacket, BYTE_SIZE",
        "AvFrame, BYTE_SIZE",
        "AvCoder, BYTE_SIZE",
        "AvIo, BYTE_SIZE",
        "AvBitstream, BYTE_SIZE",
        "AvFilter, GRAPH_BYTES",
        "AvNames, CHANNEL_LAYOUT_BYTES"
    })
    void aStructIsAsLongAsTheCompilerMadeIt(String ours, String constant) throws Exception {
        assertThat(constant(ours, constant)).isEqualTo(Loader.sizeof(struct(ours, constant)));
    }

    private static Class<? extends Pointer> struct(String ours, String constant) {
        Loader.load(avutil.class);
        Class<? extends Pointer> struct = switch (ours) {
            case "AvFormat" -> AVFormatContext.class;
            case "AvMux" -> constant.equals("OUTPUT_FORMAT") ? AVFormatContext.class : AVOutputFormat.class;
            case "AvStream" -> AVStream.class;
            case "AvParameters" -> AVCodecParameters.class;
            case "AvPacket" -> AVPacket.class;
            case "AvFrame" -> AVFrame.class;
            case "AvCoder", "GrayBuffers" -> AVCodecContext.class;
            case "AvIo" -> AVIOContext.class;
            case "AvBitstream" -> AVBSFContext.class;
            case "AvFilter" -> AVFilterGraph.class;
            case "AvNames" -> AVChannelLayout.class;
            default -> throw new IllegalArgumentException(ours);
        };
        Loader.load(struct);
        return struct;
    }

    private static long constant(String ours, String name) throws Exception {
        String room = ours.equals("AvBitstream") || ours.equals("AvFilter") ? "filter." : "";
        Field field =
                Class.forName("org.jspdl.media.internal.ffmpeg." + room + ours).getDeclaredField(name);
        field.setAccessible(true);
        return ((Number) field.get(null)).longValue();
    }
}
