package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is downloaded to build this is what it was when its checksum was written down.
class SupplyChainTest {
    private static String text(String file) throws IOException {
        return Files.readString(PackageArrowsTest.ROOT.resolve(Path.of(file)));
    }

    @Test
    void mavenItselfHasAChecksumAndAllItDownloadsMustHaveOne() throws IOException {
        assertThat(text(".mvn/wrapper/maven-wrapper.properties"))
                .containsPattern("(?m)^distributionUrl=https://")
                .containsPattern("(?m)^distributionSha256Sum=[0-9a-f]{64}$");
        assertThat(text(".mvn/maven.config")).containsPattern("(?m)^--strict-checksums$");
    }

    @Test
    void eachArtifactHoldsTheLicenseAndTheNotice() throws Exception {
        Path root = PackageArrowsTest.ROOT.toRealPath();
        List<Path> ours = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(place).toAbsolutePath().normalize();
            if (path.startsWith(root) && !root.relativize(path).toString().contains("test")) {
                ours.add(path);
            }
        }

        assertThat(ours).hasSizeGreaterThan(8);
        for (Path each : ours) {
            for (String file : List.of("LICENSE", "NOTICE")) {
                try (URLClassLoader artifact =
                                new URLClassLoader(new URL[] {each.toUri().toURL()}, null);
                        InputStream found = artifact.getResourceAsStream("META-INF/" + file)) {
                    assertThat(found).as("%s of %s", file, each).isNotNull().hasContent(text(file));
                }
            }
        }
    }

    @Test
    void noRepositoryIsAskedWithoutEncryption() throws IOException {
        assertThat(text("pom.xml")).doesNotContainPattern("<url>http://").doesNotContain("checksumPolicy");
    }

    @Test
    void theBillOfMaterialsIsMadeOnDemandOnly() throws IOException {
        String pom = text("pom.xml");
        int plugin = pom.indexOf("cyclonedx-maven-plugin");
        assertThat(pom.substring(pom.lastIndexOf("<profile>", plugin), plugin))
                .contains("<id>sbom</id>")
                .doesNotContain("<activation>");
    }
}
