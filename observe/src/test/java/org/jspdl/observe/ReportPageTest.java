package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser, where there is one.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReportPageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(9);

    @TempDir
    Path folder;

    private Path page;

    @BeforeEach
    void writeAReport() throws Exception {
        Watch watch = Watch.every(Duration.ofMillis(20)).explainStalls();
        WatchedPipeline.run(watch, 200);
        page = folder.resolve("report.html");
        watch.report().writeHtml(page);
    }

    @Test
    void theBrowserFindsEveryPartAndHasNothingToComplainOf() throws Exception {
        Browsed browsed = browse("--dump-dom", "--enable-logging=stderr");

        assertThat(browsed.out)
                .contains("The pipeline", "Over time", "Longest stalls of the consumer", "<svg")
                .contains("batch(10)")
                .endsWith("</html>\n");
        assertThat(browsed.err).doesNotContain("CONSOLE");
    }

    @Test
    void lightAndDarkArePaintedDifferently() throws Exception {
        BufferedImage light = screenshot("light", "--blink-settings=preferredColorScheme=1");
        BufferedImage dark = screenshot("dark", "--blink-settings=preferredColorScheme=0");

        assertThat(brightness(light)).isGreaterThan(200);
        assertThat(brightness(dark)).isLessThan(80);
    }

    @Test
    void aNarrowWindowNeedsNoSidewaysScrolling() throws Exception {
        String measuring = "<script>document.title = 'overflow ' + Math.max(0,"
                + " document.documentElement.scrollWidth - innerWidth);</script></body>";
        Files.writeString(page, Files.readString(page).replace("</body>", measuring));

        Browsed browsed = browse("--dump-dom", "--window-size=360,900", "--hide-scrollbars");

        assertThat(browsed.out).contains("<title>overflow 0</title>");
    }

    private BufferedImage screenshot(String name, String setting) throws Exception {
        Path picture = folder.resolve(name + ".png");
        browse("--screenshot=" + picture, "--window-size=1200,1600", "--hide-scrollbars", setting);
        return ImageIO.read(picture.toFile());
    }

    private static double brightness(BufferedImage picture) {
        long sum = 0;
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                sum += picture.getRGB(x, y) & 0xFF;
            }
        }
        return (double) sum / picture.getHeight() / picture.getWidth();
    }

    private record Browsed(String out, String err) {}

    private Browsed browse(String... options) throws Exception {
        List<String> command = new ArrayList<>(Requires.headlessBrowser(Files.createTempDirectory(folder, "profile")));
        command.addAll(List.of(options));
        command.add(page.toUri().toString());
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process browser = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(browser.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("the browser ends")
                    .isTrue();
        } finally {
            browser.destroyForcibly();
        }
        return new Browsed(
                Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.ISO_8859_1));
    }
}
