package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
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
import org.jspdl.data.image.ImageLoaderOptions;
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

    @Test
    void aPlanWithoutOptionsMakesTheImagesOfTheOtherThree() throws Exception {
        // the example of the plan is run against the main job by PlanCommandTest; here its text must leave them
        // out
        String example = Files.readString(Repository.root().resolve("examples/plans/images.yaml"));

        assertThat(example).doesNotContain("dtype", "layout");
    }
}
