package org.jspdl.observe.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DisplayTextTest {
    @Test
    void wideCharactersTakeTwoColumnsAndMarksNone() {
        assertThat(DisplayText.width("decode")).isEqualTo(6);
        assertThat(DisplayText.width("déjà")).isEqualTo(4);
        assertThat(DisplayText.width("e\u0301te\u0301")).isEqualTo(3);
        assertThat(DisplayText.width("画像 a")).isEqualTo(6);
        assertThat(DisplayText.width("\ud83d\ude00")).isEqualTo(2);
        assertThat(DisplayText.width("█░…")).isEqualTo(3);
    }

    @Test
    void whatIsCutEndsBetweenTwoCharacters() {
        assertThat(DisplayText.cut("画像画像", 5)).isEqualTo("画像");
        assertThat(DisplayText.padded("画像画像", 5)).isEqualTo("画像 ");
        assertThat(DisplayText.cut("\ud83d\ude00\ud83d\ude00", 3)).isEqualTo("\ud83d\ude00");
        assertThat(DisplayText.padded("ab", 4)).isEqualTo("ab  ");
    }

    @Test
    void whatIsTooLongKeepsItsBeginningAndItsEnd() {
        assertThat(DisplayText.squeezed("decode", 6, true)).isEqualTo("decode");
        assertThat(DisplayText.squeezed("left.decode", 7, true)).isEqualTo("lef…ode");
        assertThat(DisplayText.squeezed("left.decode", 7, false)).isEqualTo("lef~ode");
        assertThat(DisplayText.squeezed("左の画像を読む", 8, true)).isEqualTo("左…読む");
        assertThat(DisplayText.squeezed("decode", 1, true)).isEqualTo("…");
        assertThat(DisplayText.squeezed("decode", 0, true)).isEmpty();
    }
}
