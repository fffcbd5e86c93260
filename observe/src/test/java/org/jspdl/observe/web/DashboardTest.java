package org.jspdl.observe.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DashboardTest {
    @TempDir
    Path folder;

    private static HttpURLConnection connect(URI address, String more) throws IOException {
        return (HttpURLConnection) address.resolve(more).toURL().openConnection();
    }

    /// The first event that shows a run called `name`.
    private static LiveLook event(URI address, String name) throws IOException {
        HttpURLConnection connection = connect(address, "events");
        assertThat(connection.getContentType()).isEqualTo("text/event-stream");
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("\"" + name + "\"")) {
                    assertThat(line).startsWith("data: [").endsWith("]");
                    int start = line.lastIndexOf("{\"run\"", line.indexOf("\"" + name + "\""));
                    int next = line.indexOf(",{\"run\"", start);
                    return LiveLook.parse(line.substring(start, next < 0 ? line.length() - 1 : next));
                }
            }
        }
        throw new AssertionError("the events have ended");
    }

    @Test
    void aRunWithADashboardIsShownUntilItEnds() throws Exception {
        String name = "shown " + System.nanoTime();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1_000))
                .pipe("work", item -> item, cpu(1))
                .named(name);
        try (Dashboard dashboard = Dashboard.open(0);
                Run<Long> run = pipeline.start(Dashboard.on(RunOptions.defaults(), 0))) {
            for (Long _ : run) {}

            LiveLook look = event(dashboard.address(), name);

            assertThat(look.delivered()).isEqualTo(1_000);
            assertThat(look.stages()).hasSize(2);
        }
    }

    @Test
    void withoutTheTokenThereIsNothing() throws Exception {
        try (Dashboard dashboard = Dashboard.open(0)) {
            URI address = dashboard.address();
            assertThat(InetAddress.getByName(address.getHost()).isLoopbackAddress())
                    .isTrue();
            assertThat(connect(address, "/").getResponseCode()).isEqualTo(404);
            assertThat(connect(address, "/events").getResponseCode()).isEqualTo(404);
            assertThat(connect(address, "/" + "0".repeat(32) + "/events").getResponseCode())
                    .isEqualTo(404);
            assertThat(connect(address, "other").getResponseCode()).isEqualTo(404);

            HttpURLConnection post = connect(address, "");
            post.setRequestMethod("POST");
            assertThat(post.getResponseCode()).isEqualTo(405);

            HttpURLConnection page = connect(address, "");
            assertThat(page.getResponseCode()).isEqualTo(200);
            assertThat(page.getHeaderField("Content-Security-Policy")).startsWith("default-src 'none'");
            assertThat(new String(page.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContain("NONCE", "https://");
        }
        try (Dashboard first = Dashboard.open(0);
                Dashboard second = Dashboard.open(0)) {
            assertThat(first.address().getPath()).isNotEqualTo(second.address().getPath());
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (Dashboard first = Dashboard.open(0)) {
            int port = first.address().getPort();
            InetSocketAddress same = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);

            assertThatThrownBy(() -> Dashboard.open(same))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(port));
        }
    }

    @Test
    void theBrowserDrawsTwoRunsSideBySideAndSaysWhenOneHasEnded() throws Exception {
        String name = "browsed " + System.nanoTime();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1L << 40))
                .pipe("work", item -> item, cpu(1))
                .named(name);
        String cards = "[...document.querySelectorAll('.run')].filter(run => run.textContent.includes('" + name + "'))";
        try (Dashboard dashboard = Dashboard.open(0);
                Run<Long> kept = pipeline.start(Dashboard.on(RunOptions.defaults(), 0));
                DrivenBrowser browser = DrivenBrowser.open(folder, dashboard.address(), 1300, 900)) {
            try (Run<Long> run = pipeline.start(Dashboard.on(RunOptions.defaults(), 0))) {
                assertThat(kept.iterator().next()).isEqualTo(run.iterator().next());
                browser.await(cards + ".length === 2");
                browser.await(cards + ".every(run => (run.querySelector('polyline').getAttribute('points') || '')"
                        + ".split(' ').length > 2)");

                assertThat(browser.evaluate(cards + "[0].querySelectorAll('tbody tr').length"))
                        .isEqualTo("2");
                assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth <= 0"))
                        .isEqualTo("true");
                assertThat(browser.evaluate("new Set(" + cards + ".map(run => run.getBoundingClientRect().left)).size"))
                        .isEqualTo("2");
                Files.write(folder.resolve("dashboard.png"), browser.screenshot());
            }
            browser.await(cards + ".filter(run => run.classList.contains('ended')).length === 1");
            browser.await("document.getElementById('state').textContent.includes('run')");
        }
        assertThat(folder.resolve("browser.log")).content().doesNotContain("CONSOLE");
    }

    @Test
    void aNarrowWindowNeedsNoSidewaysScrolling() throws Exception {
        String name = "narrow " + System.nanoTime();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1L << 40)).named(name);
        try (Dashboard dashboard = Dashboard.open(0);
                Run<Long> run = pipeline.start(Dashboard.on(RunOptions.defaults(), 0));
                DrivenBrowser browser = DrivenBrowser.open(folder, dashboard.address(), 360, 900)) {
            assertThat(run.iterator().next()).isZero();
            browser.await("document.body.textContent.includes('" + name + "')");

            assertThat(browser.evaluate("document.documentElement.scrollWidth - innerWidth <= 0"))
                    .isEqualTo("true");
        }
    }
}
