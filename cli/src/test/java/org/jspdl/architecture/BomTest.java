package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The list of artifacts that users import, `bom/pom.xml`, which has no parent and so repeats what the others say.
class BomTest {
    /// Tests run in the folder of their module.
    private static final Path ROOT = Path.of("..");

    private static List<String> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .map(each -> each.replaceAll("<[^>]*>", "").strip())
                .toList();
    }

    private static String pom(String folder) throws IOException {
        return Files.readString(ROOT.resolve(folder).resolve("pom.xml"));
    }

    /// The first artifact that is not a parent's.
    private static String artifact(String pom) {
        return found(pom.replaceAll("(?s)<parent>.*?</parent>", ""), "<artifactId>[^<]*</artifactId>")
                .getFirst();
    }

    @Test
    void itHasTheVersionOfAllOthers() throws IOException {
        assertThat(found(pom("bom"), "<version>[0-9][^<]*</version>"))
                .containsOnly(found(pom("."), "<version>[0-9][^<]*</version>").getFirst());
    }

    @Test
    void itNamesEveryArtifactThatIsPublished() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String module : found(pom("."), "<module>[^<]*</module>")) {
            String pom = pom(module);
            if (!pom.contains("<packaging>pom</packaging>")
                    && !pom.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
                published.add(artifact(pom));
            }
        }
        Set<String> named = found(pom("bom"), "<artifactId>[^<]*</artifactId>").stream()
                .filter(each -> !each.equals("jspdl-bom"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).isEqualTo(published);
    }
}
