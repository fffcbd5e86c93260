package org.jspdl.media.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InFlightTest {
    @TempDir
    Path folder;

    /// Notes that it decodes file 7, and dies of it.
    public static final class Dying {
        private Dying() {}

        public static void main(String[] arguments) {
            InFlight.Slot slot = InFlight.of(Optional.of(Path.of(arguments[0]))).slot();
            slot.enter(5);
            slot.leave();
            slot.enter(7);
            Runtime.getRuntime().halt(134);
        }
    }

    @Test
    void aFileThatWasBeingDecodedWhenAProcessDiedIsSuspectFromThenOn() throws Exception {
        die();

        Suspects next = InFlight.of(Optional.of(folder)).suspects();
        Suspects oneAfter = InFlight.of(Optional.of(folder)).suspects();

        assertThat(next.contains("PNG", 7)).isTrue();
        assertThat(next.contains("PNG", 5)).isFalse();
        assertThat(oneAfter.contains("PNG", 7)).isTrue();
    }

    private void die() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Dying.class.getName(),
                        folder.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(134);
    }

    @Test
    void whatALivingProcessDecodesIsNotSuspect() {
        InFlight.Slot slot = InFlight.of(Optional.of(folder)).slot();
        slot.enter(7);

        Suspects other = InFlight.of(Optional.of(folder)).suspects();

        assertThat(other.contains("PNG", 7)).isFalse();
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void withoutAFolderNotesAreTakenAllTheSame() {
        InFlight notes = InFlight.of(Optional.of(folder.resolve("missing")));

        notes.slot().enter(7);

        assertThat(notes.isKept()).isFalse();
        assertThat(InFlight.of(Optional.empty()).isKept()).isFalse();
    }

    @Test
    void threeFilesMakeTheirFormatSuspect() {
        Suspects suspects = new Suspects(Optional.empty());
        suspects.convict("GIF", 1);
        suspects.convict("GIF", 1);
        suspects.convict("GIF", 2);

        assertThat(suspects.contains("GIF", 2)).isTrue();
        assertThat(suspects.contains("GIF", 4)).isFalse();
        suspects.convict("GIF", 3);
        assertThat(suspects.contains("GIF", 4)).isTrue();
        assertThat(suspects.contains("PNG", 4)).isFalse();
    }

    @Test
    void aFileIsKnownByItsLengthBeginningAndEnd() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = arena.allocate(5003);
            long key = Suspects.key(file);

            assertThat(Suspects.key(file.asSlice(1))).isNotEqualTo(key);
            file.set(ValueLayout.JAVA_BYTE, 5002, (byte) 1);
            long other = Suspects.key(file);
            assertThat(other).isNotEqualTo(key);
            file.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            assertThat(Suspects.key(file)).isNotEqualTo(other).isNotZero();
        }
        assertThat(Files.exists(folder.resolve("suspects"))).isFalse();
    }
}
