package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
                .contains("org.jspdl.memory")
                .containsAll(EngineArrows.rooms().keySet());
        assertThat(Arrows.violations(classes)).isEmpty();
    }

    private static final long MOST_LINES = 3_000;

    @Test
    void noPackageIsTooLargeToRead() throws IOException {
        Map<String, Long> lines;
        try (Stream<Path> files = Files.find(ROOT, 20, (file, _) -> isMainSource(file))) {
            lines = files.collect(Collectors.groupingBy(
                    file -> ROOT.relativize(file.getParent()).toString(),
                    Collectors.summingLong(PackageArrowsTest::lines)));
        }

        assertThat(lines).containsKeys("core/src/main/java/org/jspdl/memory", "plan/src/main/java/org/jspdl/plan");
        assertThat(lines)
                .allSatisfy((folder, count) -> assertThat(count).as(folder).isLessThan(MOST_LINES));
    }

    private static boolean isMainSource(Path file) {
        return file.toString().endsWith(".java") && file.toString().contains("/src/main/java/");
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "org.jspdl.pipeline.Run,              org.jspdl.memory.Lease,              may use only",
        "org.jspdl.memory.Lease,              org.jspdl.stats.StageStats,          may use only",
        "org.jspdl.source.Source,             org.jspdl.pipeline.Run,              may use only",
        "org.jspdl.pipeline.Run,              org.jspdl.plan.Plan,                 may use only",
        "org.jspdl.plan.Plan,                 org.jspdl.pipeline.internal.link.Link, may use only",
        "org.jspdl.pipeline.internal.link.Link, org.jspdl.media.image.ImageSpec,   may use only",
        "org.jspdl.pipeline.internal.link.Link, org.jspdl.pipeline.internal.stage.Stage, may use only",
        "org.jspdl.pipeline.internal.checkpoint.RunState, org.jspdl.pipeline.internal.lineage.Ledger, may use only",
        "org.jspdl.pipeline.Run,              org.jspdl.pipeline.internal.run.EngineRun, only those that describe",
        "org.jspdl.pipeline.Pipeline,         org.jspdl.pipeline.internal.link.Link, may use only",
        "org.jspdl.media.image.ImageSpec,     org.jspdl.pipeline.Pipeline,         decoder works without",
        "org.jspdl.media.stream.Demuxer,      org.jspdl.media.frame.Frame,         may use only",
        "org.jspdl.media.frame.Frame,         org.jspdl.media.encode.Encoder,      may use only",
        "org.jspdl.array.Npy,                 org.jspdl.media.image.ImageSpec,     may use only",
        "org.jspdl.media.audio.Audio,         org.jspdl.archive.internal.LittleEndian, media may use only",
        "org.jspdl.data.storage.Storage,      org.jspdl.pipeline.Pipeline,         may use only",
        "org.jspdl.device.DeviceTransfer,     org.jspdl.pipeline.Pipeline,         may use only",
        "org.jspdl.cli.Main,                  org.jspdl.pipeline.internal.link.Link, belong to their module",
        "org.jspdl.cli.Main,                  org.jspdl.media.internal.natives.C,  belong to their module"
    })
    void aForbiddenUseIsNamed(String user, String used, String reason) {
        List<ClassUse> classes = List.of(new ClassUse(user, true, Set.of(used)));

        assertThat(Arrows.violations(classes)).singleElement().asString().contains(user + " uses " + used, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "org.jspdl.pipeline.Pipeline,         true,  org.jspdl.pipeline.internal.recipe.Recipe",
        "org.jspdl.pipeline.Pipeline$Chain,   true,  org.jspdl.pipeline.internal.recipe.Recipe",
        "org.jspdl.pipeline.Starter,          false, org.jspdl.pipeline.internal.recipe.Recipe",
        "org.jspdl.pipeline.internal.link.Link,    true,  org.jspdl.stats.LinkStats",
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
