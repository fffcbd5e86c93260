package org.jspdl.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class InputExceptionTest {
    @Test
    void theMessageSaysWhereWhatAndWhichByte() {
        FormatException damaged = FormatException.at(1_536, "TAR: the header is damaged");

        assertThat(damaged).hasMessage("TAR: the header is damaged (at byte 1,536)");
        assertThat(damaged.source()).isEmpty();
        assertThat(damaged.offset()).hasValue(1_536);
        assertThat(damaged.withSource("a.tar")).hasMessage("a.tar: TAR: the header is damaged (at byte 1,536)");
    }

    @Test
    void theByteReadsTheSameInEveryLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(DecodeException.at(40_000, "truncated").reason()).isEqualTo("truncated (at byte 40,000)");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void whatIsAddedLaterKeepsEverythingElse() {
        DecodeException found = DecodeException.at(7, "too short");
        DecodeException located = found.within("PNG").withSource("a.png");

        assertThat(located).hasMessage("a.png: PNG: too short (at byte 7)");
        assertThat(located.reason()).isEqualTo("PNG: too short (at byte 7)");
        assertThat(located.offset()).hasValue(7);
        assertThat(located.getStackTrace()).isEqualTo(found.getStackTrace());
    }

    @Test
    void anotherSourceTakesThePlaceOfTheFirst() {
        IOException lost = new IOException("lost");
        List<InputException> failures = List.of(
                FormatException.because("r").withSource("first"),
                DecodeException.because("r").withSource("first"),
                MediaException.of("first", "r", lost),
                ReadException.of("first", "r", lost));

        assertThat(failures).allSatisfy(failure -> {
            InputException again = failure.withSource("second");
            assertThat(again).hasMessage("second: r").hasSameClassAs(failure);
            assertThat(again.source()).hasValue("second");
            assertThat(again.getCause()).isEqualTo(failure.getCause());
            assertThat(again.offset()).isEmpty();
        });
    }

    @Test
    void aFailureOfMediaNamesStreamAndTime() {
        assertThat(MediaException.at("a.mp4", "stream 0 (h264) at 3.200 s", "invalid data"))
                .hasMessage("a.mp4: stream 0 (h264) at 3.200 s: invalid data");
    }
}
