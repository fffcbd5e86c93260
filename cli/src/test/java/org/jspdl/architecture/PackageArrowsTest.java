package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackageArrowsTest {
    /// Tests run in the folder of their module.
    static final Path ROOT = Path.of("..");

    @Test
    void noPackageUsesAnotherAgainstTheDesign() throws IOException {
        List<ClassUse> classes = ClassUse.compiledBelow(ROOT, "classes");

        assertThat(classes)
                .extracting(ClassUse::packageName)
                .contains("org.jspdl.memory", "org.jspdl.pipeline.internal");
        assertThat(Arrows.violations(classes)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "org.jspdl.pipeline.Run,              org.jspdl.memory.Lease,              may use only",
        "org.jspdl.memory.Lease,              org.jspdl.stats.StageStats,          may use only",
        "org.jspdl.source.Source,             org.jspdl.pipeline.Run,              may use only",
        "org.jspdl.pipeline.Run,              org.jspdl.plan.Plan,                 may use only",
        "org.jspdl.plan.Plan,                 org.jspdl.pipeline.internal.Link,    may use only",
        "org.jspdl.pipeline.internal.Link,    org.jspdl.media.image.ImageSpec,     may use only",
        "org.jspdl.pipeline.Run,              org.jspdl.pipeline.internal.Link,    only those that describe",
        "org.jspdl.media.image.ImageSpec,     org.jspdl.pipeline.Pipeline,         decoder works without",
        "org.jspdl.array.Npy,                 org.jspdl.media.image.ImageSpec,     may use only",
        "org.jspdl.media.audio.Audio,         org.jspdl.archive.internal.LittleEndian, media may use only",
        "org.jspdl.data.storage.Storage,      org.jspdl.pipeline.Pipeline,         may use only",
        "org.jspdl.device.DeviceTransfer,     org.jspdl.pipeline.Pipeline,         may use only",
        "org.jspdl.cli.Main,                  org.jspdl.pipeline.internal.Link,    belong to their module",
        "org.jspdl.cli.Main,                  org.jspdl.media.internal.natives.C,  belong to their module"
    })
    void aForbiddenUseIsNamed(String user, String used, String reason) {
        List<ClassUse> classes = List.of(new ClassUse(user, true, Set.of(used)));

        assertThat(Arrows.violations(classes)).singleElement().asString().contains(user + " uses " + used, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "org.jspdl.pipeline.Pipeline,         true,  org.jspdl.pipeline.internal.Recipe",
        "org.jspdl.pipeline.Pipeline$Chain,   true,  org.jspdl.pipeline.internal.Recipe",
        "org.jspdl.pipeline.Starter,          false, org.jspdl.pipeline.internal.Recipe",
        "org.jspdl.pipeline.internal.Link,    true,  org.jspdl.stats.LinkStats",
        "org.jspdl.media.image.ImageDecoder,  true,  org.jspdl.media.internal.natives.C",
        "org.jspdl.media.image.ImageDecoder,  true,  org.jspdl.memory.Tensor",
        "org.jspdl.wav.WavParser,             false, org.jspdl.archive.internal.LittleEndian",
        "org.jspdl.cli.Main,                  true,  org.jspdl.pipeline.Pipeline"
    })
    void anAllowedUseIsLeftAlone(String user, boolean visible, String used) {
        ClassUse outer = new ClassUse(ClassUse.outermost(user), visible, Set.of());
        ClassUse inner = new ClassUse(user, false, Set.of(used));

        assertThat(Arrows.violations(List.of(outer, inner))).isEmpty();
    }
}
