package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What `docs/how-to/install.md` tells users of Maven and Gradle to write: artifacts that there are, of this version.
/// `release/check` builds a project of it.
class InstallPageTest {
    private static String text(String file) throws IOException {
        return Files.readString(Repository.root().resolve(file));
    }

    private static List<String> all(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .map(each -> each.replaceAll("<[^>]*>", "").strip())
                .toList();
    }

    private static String version() throws IOException {
        return all(text("bom/pom.xml"), "<version>[0-9][^<]*</version>").getFirst();
    }

    /// What may be depended on: the list of artifacts, and what is on it.
    private static Set<String> artifacts() throws IOException {
        return new TreeSet<>(all(text("bom/pom.xml"), "<artifactId>jspdl[^<]*</artifactId>"));
    }

    @Test
    void gradlesSnippetNamesArtifactsOfThisVersion() throws IOException {
        String snippet = text("docs/how-to/install.md").split("```kotlin", 2)[1].split("```", 2)[0];
        List<String> named = all(snippet, "org\\.jspdl:[\\w.:-]+");

        assertThat(named).contains("org.jspdl:jspdl-bom:" + version());
        assertThat(named)
                .allSatisfy(coordinates ->
                        assertThat(artifacts()).contains(coordinates.split(":", -1)[1]));
        // the project that release/check builds says the same
        assertThat(text("release/consumer/build.gradle.kts"))
                .contains(snippet.strip().replace(version(), "$release"));
    }

    @Test
    void mavensSnippetNamesArtifactsOfThisVersion() throws IOException {
        String snippet = text("docs/how-to/install.md").split("```xml", 2)[1].split("```", 2)[0];
        Set<String> named = new TreeSet<>(all(snippet, "<artifactId>[^<]*</artifactId>"));

        assertThat(all(snippet, "<version>[^<]*</version>")).containsExactly(version());
        assertThat(artifacts()).containsAll(named);
        assertThat(all(text("release/consumer/pom.xml"), "<artifactId>jspdl[^<]*</artifactId>"))
                .containsAll(named);
    }

    /// Without it the coordinates lead nowhere while nothing is on a registry.
    @Test
    void thePageSaysWhereAProjectFindsTheStagedFolder() throws IOException {
        String page = text("docs/how-to/install.md");
        String url = "\"file:///path/of/FOLDER\"";
        String gradle = page.split("```kotlin", 3)[2].split("```", 2)[0].strip();

        assertThat(gradle).contains(url);
        assertThat(text("release/consumer/build.gradle.kts")).contains(gradle.replace(url, "staging"));
        assertThat(page.split("```xml", 3)[2].split("```", 2)[0]).contains("<url>file:///path/of/FOLDER</url>");
        assertThat(text("release/consumer/pom.xml")).contains("<url>${staging}</url>");
    }

    @Test
    void everyArtifactOfTheTableIsPublished() throws IOException {
        String table =
                text("docs/how-to/install.md").split("## Artifacts", 2)[1].split("\n## ", 2)[0];
        Set<String> named = all(table, "`jspdl-[a-z0-9]+`").stream()
                .map(each -> each.replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(artifacts()).containsAll(named);
        assertThat(named).contains("jspdl-micrometer", "jspdl-device", "jspdl-djl", "jspdl-onnx");
    }

    @Test
    void theReadmeSaysTheSameVersion() throws IOException {
        assertThat(text("README.md")).contains("`org.jspdl:jspdl-bom:" + version() + "`");
    }
}
