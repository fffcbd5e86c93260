package org.jspdl.observe.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
    @Test
    void valuesAreEscapedUnlessTheyAreAskedForRaw() {
        assertThat(render("<i a=\"{{v}}\">{{{v}}}</i>", Map.of("v", "<&\"'>")))
                .isEqualTo("<i a=\"&lt;&amp;&quot;&#39;&gt;\"><&\"'></i>");
    }

    @Test
    void partsAreRepeatedForListsAndSeeTheValuesAround() {
        Map<String, ?> values =
                Map.of("all", List.of(Map.of("n", 1), Map.of("n", 2, "unit", "m")), "unit", "s", "none", List.of());

        assertThat(render("{{#all}}{{n}} {{unit}};{{/all}}{{#none}}never{{/none}}{{^none}}empty{{/none}}", values))
                .isEqualTo("1 s;2 m;empty");
    }

    @Test
    void booleansChoose() {
        assertThat(render(
                        "{{#yes}}a{{/yes}}{{^yes}}b{{/yes}}{{#no}}c{{/no}}{{^no}}d{{/no}}",
                        Map.of("yes", true, "no", false)))
                .isEqualTo("ad");
    }

    @Test
    void aNameWithoutAValueIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> render("{{missing}}", Map.of("other", 1)))
                .withMessageContaining("'missing'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{a", "{{#a}}", "{{/a}}", "{{#a}}{{#b}}{{/a}}{{/b}}"})
    void aTemplateThatIsNotClosedIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Template.parse(text));
    }

    private static String render(String text, Map<String, ?> values) {
        return Template.parse(text).render(values);
    }
}
