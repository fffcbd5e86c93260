package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The badges of README, which are files of this repository: each says what another file says, and its picture what its
/// text does.
class BadgesTest {
    private static final Pattern BADGE = Pattern.compile("!\\[([^]]*)]\\((docs/pictures/badges/[^)]*)\\)");

    @Test
    void eachBadgeShowsWhatReadmeSaysOfIt() throws IOException {
        var badges = BADGE.matcher(text("README.md")).results().toList();
        for (MatchResult badge : badges) {
            String[] parts = badge.group(1).split(": ", 2);
            assertThat(text(badge.group(2)))
                    .contains("<title>" + badge.group(1) + "</title>")
                    .contains(">" + parts[0] + "</text>", ">" + parts[1] + "</text>");
        }
        assertThat(badges).hasSize(4);
    }

    @Test
    void theVersionIsThatOfTheBuildAndReleasedWhenTheChangelogSaysSo() throws IOException {
        String version = first("pom.xml", "(?m)^  <version>(.*)</version>$");
        boolean released = !text("CHANGELOG.md").contains("## [" + version + "] - not released yet");

        assertThat(text("README.md")).contains("![version: " + version + (released ? "]" : ", unreleased]"));
    }

    @Test
    void javaLicenseAndPlatformAreThoseOfTheBuildTheLicenseFileAndTheTable() throws IOException {
        assertThat(text("README.md"))
                .contains(
                        "![Java: " + first("pom.xml", "<maven.compiler.release>(\\d+)</maven.compiler.release>") + "]")
                .contains("![license: Apache 2.0]")
                .contains("![tested on: Linux x86-64]");
        assertThat(text("LICENSE")).contains("Apache License").contains("Version 2.0, January 2004");
        assertThat(text("docs/how-to/install.md"))
                .contains("| | Linux x86-64 |", "| tested | in CI, on Debian 12 | not run yet |");
    }

    private static String first(String file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(text(file))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private static String text(String file) throws IOException {
        return Files.readString(Repository.root().resolve(file));
    }
}
