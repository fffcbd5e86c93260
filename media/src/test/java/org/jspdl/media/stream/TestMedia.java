package org.jspdl.media.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspdl.testing.Programs;

/// Small files made by the machine's `ffmpeg`, once, below `target/`; and what `ffmpeg` and `ffprobe` say of files.
///
/// The files are the reference's own, so a test that compares with them can't be wrong in the same way as our code.
public final class TestMedia {
    private static final Path FOLDER = Path.of("target", "test-media").toAbsolutePath();
    private static final String PICTURES = "testsrc2=size=96x64:rate=25:duration=1.4";
    private static final String LONGER_PICTURES = "testsrc2=size=96x64:rate=24:duration=3";
    private static final String SOUND =
            "aevalsrc=0.4*sin(2*PI*440*t)+0.1*sin(2*PI*1234*t)|0.3*sin(2*PI*330*t):s=44100:d=1.3";

    /// By name: the options of `ffmpeg` after its inputs.
    private static final Map<String, String> VIDEOS = Map.ofEntries(
            Map.entry("h264.mp4", "-c:v libx264 -g 12 -bf 3 -pix_fmt yuv420p"),
            Map.entry("h264.mkv", "-c:v libx264 -g 10 -bf 2 -pix_fmt yuv420p"),
            Map.entry("h264.ts", "-c:v libx264 -g 10 -bf 2 -pix_fmt yuv420p"),
            Map.entry("h264-opengop.mp4", "-c:v libx264 -g 8 -bf 3 -x264-params open-gop=1 -pix_fmt yuv420p"),
            Map.entry("h264-10bit.mp4", "-c:v libx264 -g 12 -pix_fmt yuv420p10le"),
            Map.entry("h264-444.mp4", "-c:v libx264 -g 12 -pix_fmt yuv444p -vf scale=95:63"),
            Map.entry("h264-odd.mkv", "-c:v ffv1 -pix_fmt yuv420p -vf scale=93:61"),
            Map.entry("h264-709.mp4", "-c:v libx264 -g 12 -pix_fmt yuv420p -colorspace bt709 -color_range tv"),
            Map.entry(
                    "vfr.mkv",
                    "-vf settb=1/1000,setpts=N*40+N*N -vsync passthrough -enc_time_base 1/1000 -c:v libx264 -g 12 -pix_fmt yuv420p"),
            Map.entry("hevc.mp4", "-c:v libx265 -x265-params log-level=none:keyint=12 -pix_fmt yuv420p"),
            Map.entry("vp8.webm", "-c:v libvpx -g 12 -auto-alt-ref 1 -lag-in-frames 10 -b:v 300k -deadline realtime"),
            Map.entry("vp9.webm", "-c:v libvpx-vp9 -g 12 -lag-in-frames 10 -b:v 300k -deadline realtime -cpu-used 8"),
            Map.entry("av1.mp4", "-c:v libaom-av1 -g 12 -cpu-used 8 -usage realtime -b:v 200k"),
            Map.entry("mpeg4.avi", "-c:v mpeg4 -g 12 -bf 2 -q:v 4"),
            Map.entry("mpeg4.mp4", "-c:v mpeg4 -g 12 -bf 2 -q:v 4"),
            Map.entry("mjpeg.avi", "-c:v mjpeg -q:v 4 -pix_fmt yuvj420p"),
            Map.entry("prores.mov", "-c:v prores -pix_fmt yuv422p10le"));

    private static final Map<String, String> SOUNDS = Map.ofEntries(
            Map.entry("s16.wav", "-c:a pcm_s16le"),
            Map.entry("s24.wav", "-c:a pcm_s24le"),
            Map.entry("f32.wav", "-c:a pcm_f32le"),
            Map.entry("s16.flac", "-c:a flac -sample_fmt s16"),
            Map.entry("s24.flac", "-c:a flac -sample_fmt s32"),
            Map.entry("a.mp3", "-c:a libmp3lame -b:a 128k"),
            Map.entry("a.m4a", "-c:a aac -aac_pns 0 -b:a 128k"),
            Map.entry("a.aac", "-c:a aac -b:a 128k"),
            Map.entry("a.opus", "-c:a libopus -b:a 96k"),
            Map.entry("a.ogg", "-c:a libvorbis -b:a 96k"),
            Map.entry("a.mkv", "-c:a flac"));

    /// Long enough for seeks to go somewhere; noise, so that no part is like another.
    private static final String LONG_SOUND =
            "anoisesrc=colour=pink:amplitude=0.4:seed=7:r=44100:d=9,aformat=channel_layouts=stereo";

    private static final Map<String, String> LONG_SOUNDS = Map.ofEntries(
            Map.entry("long-s16.wav", "-c:a pcm_s16le"),
            Map.entry("long-adpcm.wav", "-c:a adpcm_ms"),
            Map.entry("long-s16.flac", "-c:a flac -sample_fmt s16"),
            Map.entry("long-vbr.mp3", "-c:a libmp3lame -q:a 4"),
            Map.entry("long-cbr.mp3", "-c:a libmp3lame -b:a 96k"),
            Map.entry("long-bare.mp3", "-c:a libmp3lame -q:a 4 -write_xing 0 -id3v2_version 0"),
            Map.entry("long.m4a", "-c:a aac -aac_pns 0 -b:a 96k"),
            Map.entry("long-fragments.mp4", "-c:a aac -aac_pns 0 -b:a 96k -movflags frag_keyframe+empty_moov"),
            Map.entry("long.aac", "-c:a aac -aac_pns 0 -b:a 96k"),
            Map.entry("long-aac.ts", "-c:a aac -aac_pns 0 -b:a 96k"),
            Map.entry("long-aac.mkv", "-c:a aac -aac_pns 0 -b:a 96k"),
            Map.entry("long-mp2.ts", "-c:a mp2 -b:a 128k"),
            Map.entry("long-ac3.ts", "-c:a ac3 -b:a 128k"),
            Map.entry("long-mp3.mkv", "-c:a libmp3lame -b:a 96k"),
            Map.entry("long-mp3.avi", "-c:a libmp3lame -b:a 96k"),
            Map.entry("long.ac3", "-c:a ac3 -b:a 128k"),
            Map.entry("long.eac3", "-c:a eac3 -b:a 128k"),
            Map.entry("long-ac3.mp4", "-c:a ac3 -b:a 128k"),
            Map.entry("long-alac.m4a", "-c:a alac"),
            Map.entry("long-opus.opus", "-c:a libopus -b:a 64k"),
            Map.entry("long-opus.webm", "-c:a libopus -b:a 64k"),
            Map.entry("long-opus60.opus", "-c:a libopus -b:a 24k -frame_duration 60"),
            Map.entry("long.ogg", "-c:a libvorbis -b:a 96k"),
            Map.entry("long-vorbis.mkv", "-c:a libvorbis -b:a 96k"),
            Map.entry("long-flac.mkv", "-c:a flac -sample_fmt s16"),
            Map.entry("long-flac.ogg", "-c:a flac -sample_fmt s16"),
            Map.entry("long.mov", "-c:a pcm_s16le"),
            Map.entry("long.aiff", "-c:a pcm_s16be"),
            Map.entry("long.wma", "-c:a wmav2 -b:a 96k"));

    private TestMedia() {}

    /// Several groups of pictures of every kind, each picture unlike the others.
    private static final Map<String, String> GROUPED_VIDEOS = Map.ofEntries(
            Map.entry("groups-h264.mp4", "-c:v libx264 -g 15 -bf 3"),
            Map.entry("groups-h264-late.mp4", "-c:v libx264 -g 15 -bf 3 -output_ts_offset 5.3"),
            Map.entry("groups-h264-late.mkv", "-c:v libx264 -g 15 -bf 3 -output_ts_offset 5.3"),
            Map.entry("groups-h264-fragments.mp4", "-c:v libx264 -g 15 -bf 3 -movflags frag_keyframe+empty_moov"),
            Map.entry("groups-h264-pyramid.ts", "-c:v libx264 -g 24 -bf 7 -x264-params b-pyramid=normal:ref=5"),
            Map.entry("groups-h264-one.mp4", "-c:v libx264 -g 250 -bf 3"),
            Map.entry("groups-h264-intra.mp4", "-c:v libx264 -g 1"),
            Map.entry("groups-h264-open.mkv", "-c:v libx264 -g 12 -bf 3 -x264-params open-gop=1"),
            Map.entry("groups-h264-open.mp4", "-c:v libx264 -g 12 -bf 3 -x264-params open-gop=1"),
            Map.entry("groups-h264-refresh.mp4", "-c:v libx264 -g 12 -bf 0 -intra-refresh 1"),
            Map.entry("groups-h264-refresh.mkv", "-c:v libx264 -g 20 -bf 2 -intra-refresh 1"),
            Map.entry("groups-h264-refresh.ts", "-c:v libx264 -g 24 -bf 2 -intra-refresh 1"),
            Map.entry("groups-h264-interlaced.ts", "-c:v libx264 -g 12 -bf 2 -flags +ildct+ilme -x264opts tff=1"),
            Map.entry(
                    "groups-h264-variable.mkv",
                    "-vf settb=1/1000,setpts=N*40+N*N/2 -vsync passthrough -enc_time_base 1/1000 -c:v libx264 -g 12 -bf 3"),
            Map.entry("groups-h264.flv", "-c:v libx264 -g 15 -bf 3"),
            Map.entry("groups-hevc.mp4", "-c:v libx265 -x265-params log-level=none:keyint=12:bframes=4:open-gop=0"),
            Map.entry("groups-hevc-open.mkv", "-c:v libx265 -x265-params log-level=none:keyint=12:open-gop=1"),
            Map.entry("groups-hevc-open.mp4", "-c:v libx265 -x265-params log-level=none:keyint=12:open-gop=1"),
            Map.entry(
                    "groups-hevc-refresh.mkv",
                    "-c:v libx265 -x265-params log-level=none:keyint=12:intra-refresh=1:bframes=0"),
            Map.entry(
                    "groups-hevc-layers.mp4",
                    "-c:v libx265 -x265-params log-level=none:keyint=16:temporal-layers=3:bframes=7"),
            Map.entry("groups-mpeg4.mp4", "-c:v mpeg4 -g 12 -bf 2 -q:v 4"),
            Map.entry("groups-mpeg4.avi", "-c:v mpeg4 -g 12 -bf 2 -q:v 4"),
            Map.entry("groups-mpeg2.ts", "-c:v mpeg2video -g 12 -bf 2 -q:v 4 -flags -cgop"),
            Map.entry("groups-mpeg2.mpg", "-c:v mpeg2video -g 12 -bf 2 -q:v 4 -flags -cgop"),
            Map.entry(
                    "groups-vp9.webm", "-c:v libvpx-vp9 -g 24 -auto-alt-ref 1 -lag-in-frames 25 -b:v 300k -cpu-used 5"),
            Map.entry("groups-vp8.webm", "-c:v libvpx -g 24 -auto-alt-ref 1 -lag-in-frames 16 -b:v 300k -cpu-used 5"),
            Map.entry("groups-av1.mp4", "-c:v libaom-av1 -g 24 -cpu-used 8 -lag-in-frames 19 -b:v 200k"));

    private static final String GROUPED_PICTURES = "testsrc2=size=96x64:rate=24:duration=3";

    /// The names of videos of 72 frames in several groups of pictures.
    public static List<String> groupedVideos() {
        return GROUPED_VIDEOS.keySet().stream().sorted().toList();
    }

    /// The names of sounds of 9 s.
    public static List<String> longSounds() {
        return LONG_SOUNDS.keySet().stream().sorted().toList();
    }

    /// The names of all videos.
    public static List<String> videos() {
        return VIDEOS.keySet().stream().sorted().toList();
    }

    /// The names of the videos whose packets have times.
    public static List<String> timedVideos() {
        return videos().stream().filter(name -> !name.equals("mpeg4.avi")).toList();
    }

    /// The names of all sounds.
    public static List<String> sounds() {
        return SOUNDS.keySet().stream().sorted().toList();
    }

    /// A file of this name, made if need be.
    public static Path file(String name) {
        String video = VIDEOS.get(name);
        if (video != null) {
            return made(name, video, "-f lavfi -i " + PICTURES);
        }
        String sound = SOUNDS.get(name);
        if (sound != null) {
            return made(name, sound, "-f lavfi -i " + SOUND);
        }
        String longSound = LONG_SOUNDS.get(name);
        if (longSound != null) {
            return made(name, longSound, "-f lavfi -i " + LONG_SOUND);
        }
        String grouped = GROUPED_VIDEOS.get(name);
        if (grouped != null) {
            return made(
                    name,
                    grouped + (grouped.contains("-vf") ? "" : " -pix_fmt yuv420p"),
                    "-f lavfi -i " + GROUPED_PICTURES);
        }
        return switch (name) {
            case "h264-opengop.ts" ->
                made(
                        name,
                        "-c:v libx264 -g 8 -bf 3 -x264-params open-gop=1 -pix_fmt yuv420p",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "hevc-opengop.ts" ->
                made(
                        name,
                        "-c:v libx265 -x265-params log-level=none:keyint=12:open-gop=1 -pix_fmt yuv420p",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "slices2.mp4", "slices4.mp4", "slices2-10bit.mp4", "slices2-open.mp4" ->
                made(
                        name,
                        "-c:v libx265 -x265-params log-level=none:keyint=12:ctu=16:slices=" + name.charAt(6)
                                + ":open-gop=" + (name.contains("open") ? 1 : 0) + " -pix_fmt yuv420p"
                                + (name.contains("10bit") ? "10le" : ""),
                        "-f lavfi -i " + LONGER_PICTURES);
            case "flat-hevc.mp4" ->
                made(
                        name,
                        "-c:v libx265 -x265-params log-level=none:keyint=12:ctu=16:slices=2:bframes=0 -pix_fmt yuv420p",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "flat-h264.mp4" ->
                made(
                        name,
                        "-c:v libx264 -g 12 -bf 0 -x264-params slices=2 -pix_fmt yuv420p",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "grain-av1.mp4" ->
                made(
                        name,
                        "-c:v libaom-av1 -g 24 -cpu-used 8 -lag-in-frames 19 -b:v 200k -aom-params film-grain-test=2",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "mpeg2-opengop.ts" ->
                made(name, "-c:v mpeg2video -g 12 -bf 2 -q:v 4 -flags -cgop", "-f lavfi -i " + LONGER_PICTURES);
            case "both.mp4" ->
                made(
                        name,
                        "-c:v libx264 -g 12 -bf 2 -pix_fmt yuv420p -c:a aac -shortest -metadata title=Both",
                        "-f lavfi -i " + PICTURES + " -f lavfi -i " + SOUND);
            case "rotated.mp4" -> made(name, "-c copy -metadata:s:v rotate=90", "-i " + file("h264.mp4"));
            case "vp9-hidden.webm" ->
                made(
                        name,
                        "-c:v libvpx-vp9 -g 24 -auto-alt-ref 1 -lag-in-frames 25 -b:v 300k -cpu-used 4",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "vp9-split.nut" -> made(name, "-c copy -bsf:v vp9_superframe_split", "-i " + file("vp9-hidden.webm"));
            case "vp9-profile1.nut" ->
                made(
                        name,
                        "-c:v libvpx-vp9 -pix_fmt yuv444p -g 24 -auto-alt-ref 1 -lag-in-frames 25 -b:v 300k -cpu-used 4"
                                + " -bsf:v vp9_superframe_split",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "vp8-hidden.webm" ->
                made(
                        name,
                        "-c:v libvpx -g 24 -auto-alt-ref 1 -lag-in-frames 16 -b:v 300k",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "av1-hidden.mkv" ->
                made(
                        name,
                        "-c:v libaom-av1 -g 24 -cpu-used 8 -lag-in-frames 19 -b:v 200k",
                        "-f lavfi -i " + LONGER_PICTURES);
            case "av1-split.mkv" -> made(name, "-c copy -bsf:v av1_frame_split", "-i " + file("av1-hidden.mkv"));
            case "long.flac" -> made(name, "-c:a flac", "-f lavfi -i aevalsrc=0.3*sin(2*PI*440*t):s=8000:d=600");
            case "cut.mp4" -> made(name, "-c copy", "-ss 0.7 -i " + file("h264.mp4"));
            case "u8.wav" -> made(name, "-c:a pcm_u8", "-f lavfi -i " + SOUND);
            case "s32.wav" -> made(name, "-c:a pcm_s32le", "-f lavfi -i " + SOUND);
            case "f64.wav" -> made(name, "-c:a pcm_f64le", "-f lavfi -i " + SOUND);
            case "mono.wav" -> made(name, "-ac 1 -c:a pcm_s16le", "-f lavfi -i " + SOUND);
            case "six.wav" -> made(name, "-ac 6 -c:a pcm_s16le", "-f lavfi -i " + SOUND);
            case "rf64.wav" -> made(name, "-c:a pcm_s16le -rf64 always", "-f lavfi -i " + SOUND);
            case "adpcm.wav" -> made(name, "-c:a adpcm_ms", "-f lavfi -i " + SOUND);
            case "mono.flac" -> made(name, "-ac 1 -c:a flac -sample_fmt s16", "-f lavfi -i " + SOUND);
            case "six.flac" -> made(name, "-ac 6 -c:a flac -sample_fmt s16", "-f lavfi -i " + SOUND);
            default -> throw new IllegalArgumentException("there is no test file " + name);
        };
    }

    private static synchronized Path made(String name, String options, String inputs) {
        Path file = FOLDER.resolve(Integer.toHexString((inputs + options).hashCode()) + "-" + name);
        if (Files.exists(file)) {
            return file;
        }
        try {
            Files.createDirectories(FOLDER);
            Path partial = FOLDER.resolve(ProcessHandle.current().pid() + "-partial-" + file.getFileName());
            Programs.run("ffmpeg -v error -y " + inputs + " " + options + " -fflags +bitexact " + partial);
            return Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /// All pictures of a file as `ffmpeg` decodes them, with options of its output.
    public static byte[] pictures(Path file, String options) {
        return Programs.run("ffmpeg -v error -noautorotate -i " + file + " -map 0:v:0 -fps_mode passthrough " + options
                + " -f rawvideo -");
    }

    /// The times of all frames in ticks as `ffprobe` prints them; a frame without one comes a tick after the last.
    public static List<Long> times(Path file) {
        String lines = new String(
                Programs.run("ffprobe -v error -select_streams v:0 -show_entries"
                        + " frame=best_effort_timestamp -of csv=p=0 " + file),
                StandardCharsets.UTF_8);
        List<Long> times = new ArrayList<>();
        for (String line : lines.split("\n", -1)) {
            String time = line.replace(",", "").strip().toLowerCase(Locale.ROOT);
            if (!time.isEmpty()) {
                times.add(time.equals("n/a") ? (times.isEmpty() ? 0 : times.getLast() + 1) : Long.parseLong(time));
            }
        }
        return times;
    }
}
