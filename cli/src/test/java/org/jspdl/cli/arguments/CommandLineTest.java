package org.jspdl.cli.arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {
    private static final CommandSpec SPEC = new CommandSpec(
            "load",
            "THING",
            "Loads a thing.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.valued(
                                    "--count",
                                    "N",
                                    "How many of them there are to be, which takes a few more words to say so that the"
                                            + " text has to be wrapped."),
                            Option.valued("--color", "red|blue", "Its color."),
                            Option.flag("--quick", "Hurry."),
                            Option.valued("--a-very-long-name", "SOMETHING", "Its help starts on the next line.")))),
            List.of("", "That is all."));

    private enum Color {
        RED,
        BLUE
    }

    @Test
    void valuesFollowAsTheNextWordOrAfterAnEqualsSign() throws Exception {
        CommandLine line = parse("--count", "3", "--color=blue", "thing", "--quick");

        assertThat(line.integer("--count", 1, 0, 10)).isEqualTo(3);
        assertThat(line.choice("--color", Color.RED, Color.class)).isEqualTo(Color.BLUE);
        assertThat(line.has("--quick")).isTrue();
        assertThat(line.operand()).contains("thing");
    }

    @Test
    void whatIsNotGivenHasItsDefault() throws Exception {
        CommandLine line = parse();

        assertThat(line.integer("--count", 7, 0, 10)).isEqualTo(7);
        assertThat(line.choice("--color", Color.RED, Color.class)).isEqualTo(Color.RED);
        assertThat(line.has("--quick")).isFalse();
        assertThat(line.operand()).isEmpty();
    }

    @Test
    void aTimeHasAUnit() throws Exception {
        Duration otherwise = Duration.ofSeconds(9);

        assertThat(parse().duration("--count", otherwise)).isEqualTo(otherwise);
        assertThat(parse("--count", "500ms").duration("--count", otherwise)).isEqualTo(Duration.ofMillis(500));
        assertThat(parse("--count", "2 m").duration("--count", otherwise)).isEqualTo(Duration.ofMinutes(2));
        for (String wrong : List.of("5", "0s", "-1s", "25h", "1.5s", "999999999h", "s")) {
            assertThatThrownBy(() -> parse("--count", wrong).duration("--count", otherwise))
                    .as(wrong)
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining(wrong);
        }
    }

    @Test
    void twoDashesEndTheOptionsAndTheLastOfRepeatedOptionsCounts() throws Exception {
        assertThat(parse("--", "--count").operand()).contains("--count");
        assertThat(parse("--count", "1", "--count", "2").integer("--count", 0, 0, 10))
                .isEqualTo(2);
        assertThat(parse("--count", "-4").number("--count", 0, -10, 10)).isEqualTo(-4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--cuont 3~          unknown option '--cuont'; did you mean --count?",
                "--nothing-like-it~  unknown option '--nothing-like-it'",
                "--count~            --count needs a value: --count N",
                "--quick=yes~        --quick takes no value",
                "one two~            unexpected argument 'two': load takes one THING, which is 'one'",
                "--count --quick~    --count needs a value, --count N, but an option follows; write --count=--quick if that is the value",
                "--count 11~         --count must be a whole number from 0 to 10 but was '11'",
                "--count many~       --count must be a whole number from 0 to 10 but was 'many'",
                "--color green~     --color must be red or blue but was 'green'"
            })
    void aWrongWordIsNamedInOneLine(String words, String message) {
        assertThatThrownBy(() -> {
                    CommandLine line = parse(words.split(" ", -1));
                    line.integer("--count", 0, 0, 10);
                    line.choice("--color", Color.RED, Color.class);
                })
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void theHelpNamesEveryOptionInLinesOfAtMost100Columns() {
        String help = HelpText.of(SPEC);

        assertThat(help).startsWith("Usage: jspdl load [THING] [options]").endsWith("That is all.\n");
        assertThat(help).contains("--count N", "--color red|blue", "--quick", "--a-very-long-name SOMETHING\n");
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    private static CommandLine parse(String... words) throws UsageException {
        return CommandLine.parse(List.of(words), SPEC);
    }
}
