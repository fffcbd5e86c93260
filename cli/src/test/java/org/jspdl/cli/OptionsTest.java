package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageSetting;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Parameter;
import org.junit.jupiter.api.Test;

/// Images are loaded from Java, the command line, plans and Python by the same options, with the same defaults.
class OptionsTest {
    /// What all but Java say in options of their own; Java says it in an `ImageSpec`.
    private static final Set<String> OF_IMAGES =
            Set.of("size", "resize", "flip", "color-jitter", "layout", "dtype", "crop", "quality");
    private static final Set<String> OF_LOADING =
            Set.of("batch-size", "shuffle", "seed", "rank", "world-size", "even", "isolation", "decode-deadline");
    private static final Pattern PYTHON = Pattern.compile("(\\w+): [^=]+? = ([^,)]+)[,)]");

    @Test
    void theCommandLineHasTheDefaultsOfJava() throws Exception {
        RunSettings settings = new RunArguments(CommandLine.parse(List.of(), RunCommand.SPEC)).settings();

        assertThat(settings.loading()).isEqualTo(ImageLoaderOptions.defaults());
        assertThat(ImageLoaderOptions.defaults().batchSize()).isEqualTo(64);
        assertThat(ImageLoaderOptions.defaults().workers())
                .isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void theOptionsHaveTheSameNamesOnTheCommandLineAndInPlans() {
        Set<String> commandLine = RunCommand.SPEC.groups().stream()
                .map(CommandSpec.Group::options)
                .flatMap(List::stream)
                .map(Option::name)
                .map(name -> name.substring(2))
                .collect(Collectors.toSet());
        Set<String> plans = new TreeSet<>();
        for (String operation : List.of("images", "allocate-batch")) {
            parameters(operation).forEach(parameter -> plans.add(parameter.name()));
        }

        assertThat(commandLine).containsAll(OF_IMAGES).containsAll(OF_LOADING).contains("workers", "order");
        assertThat(plans).containsAll(OF_IMAGES).containsAll(OF_LOADING);
    }

    private static List<? extends Parameter<?>> parameters(String operation) {
        return Operations.installed().find(operation).map(Operation::parameters).orElseThrow();
    }

    @Test
    void pythonHasTheSameNamesAndDefaults() throws Exception {
        Map<String, String> images = python();

        assertThat(images.keySet())
                .contains(
                        "batch_size",
                        "workers",
                        "shuffle",
                        "seed",
                        "flip",
                        "color_jitter",
                        "grayscale",
                        "max_failures");
        assertThat(images)
                .containsEntry("size", "224")
                .containsEntry("batch_size", "64")
                .containsEntry("layout", "\"nchw\"")
                .containsEntry("dtype", "\"float32\"")
                .containsEntry("order", "\"input\"")
                .containsEntry("isolation", "\"auto\"")
                .containsEntry("decode_deadline", "\"30s\"")
                .containsEntry("shuffle", "False")
                .containsEntry("seed", "0")
                .containsEntry("workers", "None");
    }

    /// The parameters of `jspdl.images` with their defaults.
    private static Map<String, String> python() throws Exception {
        String helpers = Files.readString(Repository.root().resolve("python/src/main/python/jspdl/_helpers.py"));
        int begin = helpers.indexOf("def images(");
        String signature =
                helpers.substring(begin, helpers.indexOf("-> Loader", begin)).replaceAll("\\[[^]]*]+", "");
        Map<String, String> defaults = new TreeMap<>();
        Matcher each = PYTHON.matcher(signature);
        while (each.find()) {
            defaults.put(each.group(1), each.group(2));
        }
        return defaults;
    }

    /// The names and defaults are those of [StorageSetting] wherever they are read, and it reads them back.
    @Test
    void remoteStorageIsReadByTheSameSettingsFromEverywhere() throws Exception {
        CommandLine none = CommandLine.parse(List.of(), RunCommand.SPEC);
        Set<String> documented = documentedSettings();
        StringBuilder given = new StringBuilder();
        for (StorageSetting setting : StorageSetting.values()) {
            String usual = setting.of(StorageOptions.defaults());
            assertThat(AccessArguments.STORAGE.help()).contains(setting.key() + "=" + usual);
            assertThat(documented).contains(setting.key() + " = " + usual);
            given.append(usual.isEmpty() ? "" : "," + setting.key() + "=" + usual);
        }

        assertThat(AccessArguments.storage(
                        CommandLine.parse(List.of("--storage", given.substring(1)), RunCommand.SPEC)))
                .isEqualTo(AccessArguments.storage(none));
        assertThat(AccessArguments.storage(none).notesFolder(Path.of("n")))
                .isEqualTo(StorageOptions.defaults().notesFolder(Path.of("n")));
        for (CommandSpec spec : List.of(RunCommand.SPEC, PackCommand.SPEC, InspectCommand.SPEC, ProfileCommand.SPEC)) {
            assertThat(spec.groups().stream().map(CommandSpec.Group::options).flatMap(List::stream))
                    .as(spec.name())
                    .contains(AccessArguments.STORAGE);
        }
        for (String operation : List.of("images", "files", "shards", "texts")) {
            assertThat(parameters(operation).stream().map(Parameter::name))
                    .as(operation)
                    .contains("storage", "cache", "cache-size");
        }
        assertThat(Files.readString(Repository.root().resolve("python/src/main/python/jspdl/_helpers.py")))
                .contains("READING = (\"even\", \"cache\", \"cache_size\", \"storage\")");
    }

    /// The rows of the table in the how-to: a name, and its default.
    private static Set<String> documentedSettings() throws Exception {
        Matcher row = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (?:`([^`]+)`|none) \\|")
                .matcher(Files.readString(Repository.root().resolve("docs/how-to/storage.md")));
        Set<String> rows = new TreeSet<>();
        while (row.find()) {
            rows.add(row.group(1) + " = " + (row.group(2) == null ? "" : row.group(2)));
        }
        return rows;
    }

    @Test
    void aPlanWithoutOptionsMakesTheImagesOfTheOtherThree() throws Exception {
        // the example of the plan is run against the main job by PlanCommandTest; here its text must leave them
        // out
        String example = Files.readString(Repository.root().resolve("examples/plans/images.yaml"));

        assertThat(example).doesNotContain("dtype", "layout");
    }
}
