package org.jspdl.media.internal.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedLibrariesTest {
    private static final String PATH = "jspdl.test.path";
    private static final String LIBRARY = "libdrm.so.2";
    private static final String RESOURCES = "org/bytedeco/ffmpeg/linux-x86_64/";

    @TempDir
    Path folder;

    @AfterEach
    void forgetTheFolder() {
        System.clearProperty(PATH);
    }

    @Test
    void aLibraryComesFromTheFolderThatThePropertyNames() {
        System.setProperty(PATH, folder.toString());

        assertThatThrownBy(() -> new UnpackedLibraries("things", RESOURCES, PATH).load(LIBRARY))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining(PATH)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining(LIBRARY);
    }

    @Test
    void aMissingJarIsExplained() {
        assertThatThrownBy(() -> new UnpackedLibraries("things", "no/such/folder/", PATH).load(LIBRARY))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining("things libraries not found")
                .hasMessageContaining(PATH);
    }

    @Test
    void processesThatStartAtOnceAllLoadAWholeLibrary() throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ProcessBuilder builder = new ProcessBuilder(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Loading.class.getName());
            builder.environment().put("XDG_CACHE_HOME", folder.toString());
            processes.add(builder.inheritIO().start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(LIBRARY, LIBRARY + ".sha256");
        }
    }

    @Test
    void anInterruptedThreadLoadsALibraryAndStaysInterrupted() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Loading.class.getName(),
                "interrupted");
        builder.environment().put("XDG_CACHE_HOME", folder.toString());

        assertThat(builder.inheritIO().start().waitFor()).isZero();
        assertThat(folder.resolve("jspdl")).isDirectoryRecursivelyContaining("glob:**/" + LIBRARY);
    }

    /// What the started processes run.
    static final class Loading {
        private Loading() {}

        public static void main(String[] arguments) {
            if (arguments.length > 0) {
                Thread.currentThread().interrupt();
            }
            if (new UnpackedLibraries("things", RESOURCES, PATH)
                    .load(LIBRARY)
                    .find("drmGetVersion")
                    .isEmpty()) {
                throw new IllegalStateException("the library lacks a function");
            }
            if (Thread.currentThread().isInterrupted() != arguments.length > 0) {
                throw new IllegalStateException("the thread was interrupted, and is no longer, or the other way round");
            }
        }
    }
}
