package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspdl.archive.TarWriter;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.NpzWriter;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeCommandTest extends CommandTest {
    @TempDir
    static Path folder;

    private static Path film() {
        Path film = folder.resolve("film.mkv");
        Programs.run("ffmpeg -v error -y -f lavfi -i testsrc2=size=96x64:rate=25:duration=1 -f lavfi -i"
                + " sine=sample_rate=44100:duration=1 -c:v mpeg4 -c:a flac -metadata title=Test " + film);
        return film;
    }

    @Test
    void aTableSaysWhatIsInside() {
        Path film = film();

        jspdl("probe", film.toString());

        assertThat(code).isZero();
        assertThat(out)
                .startsWith(film + ": matroska,webm, 1.0")
                .containsPattern("0 +video +mpeg4 +96 x 64, yuv420p, 25.000 frames/s")
                .containsPattern("1 +audio +flac +44100 Hz, mono, s16")
                .contains("title: Test");
    }

    @Test
    void jsonSaysTheSameToPrograms() {
        jspdl("probe", "--json", film().toString());

        assertThat(code).isZero();
        assertThat(out)
                .contains("\"format\": \"matroska,webm\"", "\"codec\": \"mpeg4\"", "\"width\": 96")
                .contains("\"frame_rate\": \"25\"", "\"sample_rate\": 44100", "\"title\": \"Test\"");
    }

    @Test
    void aPictureIsDescribedByItsHeader() throws Exception {
        Path photo = folder.resolve("photo.jpg");
        Programs.run("ffmpeg -v error -y -i " + film() + " -frames:v 1 " + photo);

        jspdl("probe", photo.toString());
        assertThat(out).isEqualTo(photo + ": JPEG, 96 x 64, color, 8 bits a channel" + System.lineSeparator());

        jspdl("probe", "--json", photo.toString());
        assertThat(out).contains("\"format\": \"JPEG\"", "\"width\": 96", "\"orientation\": 1");
    }

    @Test
    void arraysAreListedWithTypeAndShape() throws Exception {
        Path npy = folder.resolve("a.npy");
        Path npz = folder.resolve("b.npz");
        ArrayView array = ArrayView.of(ElementType.FLOAT32, Shape.of(2, 3), MemorySegment.ofArray(new byte[24]));
        Npy.write(npy, array);
        try (NpzWriter writer = NpzWriter.create(npz, ZipWriter.Method.DEFLATED)) {
            writer.add("weights", array);
        }

        jspdl("probe", npy.toString());
        assertThat(out).startsWith(npy + ": NPY, 1 array, 24 bytes").contains("FLOAT32", "[2, 3]");

        jspdl("probe", "--json", npz.toString());
        assertThat(out).contains("\"format\": \"NPZ\"", "\"name\": \"weights\"", "\"bytes\": 24");
    }

    @Test
    void anArchiveIsSummedUpByTheEndingsOfItsFiles() throws Exception {
        Path tar = folder.resolve("shard.tar");
        try (TarWriter writer = TarWriter.create(tar)) {
            writer.add("0/a.jpg", MemorySegment.ofArray(new byte[1000]));
            writer.add("0/a.cls", MemorySegment.ofArray(new byte[1]));
            writer.add("0/b.jpg", MemorySegment.ofArray(new byte[500]));
        }

        jspdl("probe", tar.toString());
        assertThat(out).startsWith(tar + ": TAR, 3 files").containsPattern("\\.jpg +2 files");

        Files.write(tar, Arrays.copyOf(Files.readAllBytes(tar), 1600));
        jspdl("probe", tar.toString());
        assertThat(code).isEqualTo(1);
        assertThat(err).startsWith("jspdl: " + tar + ": TAR: the archive is truncated");
    }

    @Test
    void aMissingFileIsAFailure() {
        jspdl("probe", "nowhere.mp4");

        assertThat(code).isEqualTo(1);
        assertThat(err).startsWith("jspdl: nowhere.mp4: cannot be opened: there is no such file");
    }

    @Test
    void noFileIsAMistakeInTheCommand() {
        jspdl("probe");

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("probe needs a file").contains("jspdl probe --help");
    }
}
