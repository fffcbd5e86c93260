package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileTextTest {
    @TempDir
    Path folder;

    private static String refusal(String text) {
        try {
            Plan.of("plan.yaml", text).check(TestOperations.known());
        } catch (PlanException refused) {
            return String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
        }
        return "accepted";
    }

    @Test
    void brokenYamlIsRefusedWithTheParsersReasonAndPlace() {
        assertThat(refusal("source: {range: {size: 3}\nsteps: [")).startsWith("plan.yaml:2:1: not valid YAML: ");
        assertThat(refusal("source: \"range")).startsWith("plan.yaml:1:15: not valid YAML: ");
        assertThat(refusal("a: b: c")).startsWith("plan.yaml:1:5: not valid YAML: ");
    }

    @Test
    void aBillionLaughsAreRefusedBeforeTheyAreRepeated() {
        StringBuilder text = new StringBuilder("a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
        for (int i = 1; i < 30; i++) {
            String before = "*a" + (i - 1);
            text.append("a" + i + ": &a" + i + " [" + (before + ", ").repeat(9) + before + "]\n");
        }

        assertThat(refusal(text.toString())).isEqualTo("plan.yaml:5:55: the plan has more than 100,000 values");
    }

    @Test
    void aValueThatContainsItselfIsRefused() {
        assertThat(refusal("source: &a [*a]"))
                .isEqualTo("plan.yaml:1:13: there is no finished value '&a' before this, to be repeated");
    }

    @Test
    void deepNestingIsRefusedBeforeTheStackEnds() {
        assertThat(refusal("[".repeat(100_000)))
                .isEqualTo("plan.yaml:1:65: maps and lists lie deeper than 64 within each other");
        assertThat(refusal("- ".repeat(100_000)))
                .isEqualTo("plan.yaml:1:129: maps and lists lie deeper than 64 within each other");
    }

    @Test
    void depthIsAlsoCountedThroughAliases() {
        String half = "[".repeat(40) + "]".repeat(40);

        assertThat(refusal("a: &a " + half + "\nb: " + "[".repeat(30) + "*a" + "]".repeat(30)))
                .isEqualTo("plan.yaml:2:34: maps and lists lie deeper than 64 within each other");
    }

    @Test
    void tagsThatAskForObjectsAreRefused() {
        assertThat(refusal("source: !!javax.script.ScriptEngineManager []"))
                .isEqualTo("plan.yaml:1:9: a plan holds plain values, and no tags such as"
                        + " 'tag:yaml.org,2002:javax.script.ScriptEngineManager'");
        assertThat(refusal("name: !!str 5")).startsWith("plan.yaml:1:7: a plan holds plain values");
    }

    @Test
    void aSecondDocumentIsRefused() {
        assertThat(refusal("source: {range: {size: 3}}\n---\nname: a"))
                .isEqualTo("plan.yaml:3:1: a file holds one plan, and here a second document begins");
    }

    @Test
    void controlCharactersAreRefusedAndNotPrinted() {
        assertThat(refusal("name: a\nsource: \u0007"))
                .isEqualTo("plan.yaml:2:9: the character U+0007 has no place in a plan");
        assertThatThrownBy(() -> Plan.of("plan.yaml", "source: \u001b[31m"))
                .message()
                .doesNotContain("\u001b");
    }

    @Test
    void aFileThatIsTooLargeIsRefusedUnread() throws Exception {
        Path file = Files.write(folder.resolve("plan.yaml"), new byte[(1 << 20) + 1]);

        assertThatThrownBy(() -> Plan.read(file))
                .isInstanceOf(PlanException.class)
                .hasMessage(file + ": the file has more than the 1,048,576 bytes allowed");
    }

    @Test
    void aFileThatIsNoTextIsRefused() throws Exception {
        Path file = Files.write(folder.resolve("plan.yaml"), new byte[] {'a', (byte) 0xff, 'b'});

        assertThatThrownBy(() -> Plan.read(file)).hasMessage(file + ": the file is not text in UTF-8");
    }

    @Test
    void manyMistakesAreCountedAndNotAllListed() {
        String text = "source: {range: {size: 3}}\nsteps:\n" + "  - {batch: 0}\n".repeat(25);

        assertThatThrownBy(() -> Plan.of("plan.yaml", text).check(TestOperations.known()))
                .message()
                .endsWith("and 5 more");
    }

    @Test
    void aLongLineIsShownAroundItsPlace() {
        String text = "source: {range: {" + " ".repeat(5_000) + "size: -3}}";

        assertThatThrownBy(() -> Plan.of("plan.yaml", text).check(TestOperations.known()))
                .message()
                .satisfies(message -> assertThat(
                                message.lines().mapToInt(String::length).max().orElse(0))
                        .isLessThan(140))
                .contains("size: -3}}")
                .endsWith(" ".repeat(10) + "^");
    }
}
