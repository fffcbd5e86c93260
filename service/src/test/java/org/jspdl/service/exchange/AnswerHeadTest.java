package org.jspdl.service.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerHeadTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    @Test
    void statusLengthAndChecksumAreReadWhateverTheCaseOfNames() throws Exception {
        assertThat(AnswerHead.parse(OK + "Content-length: 12\r\nJSPDL-crc32c: 0a1b2c3d\r\nDate: now\r\n\r\n"))
                .isEqualTo(new AnswerHead(200, 12, "0a1b2c3d", true));
        assertThat(AnswerHead.parse("HTTP/1.1 503\nContent-Length: 3\n\n"))
                .isEqualTo(new AnswerHead(503, 3, "none", true));
        assertThat(AnswerHead.parse(OK + "\r\n")).isEqualTo(new AnswerHead(200, -1, "none", true));
    }

    @Test
    void aConnectionThatIsToBeClosedIsNotKept() throws Exception {
        assertThat(AnswerHead.parse(OK + "Connection: Close\r\n\r\n").keeps()).isFalse();
        assertThat(AnswerHead.parse("HTTP/1.0 200 OK\r\n\r\n").keeps()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.1 2x0 OK\r\n\r\n",
                "HTTP/1.1 2000\r\n\r\n",
                "SSH-2.0-OpenSSH_9.6\r\n\r\n"
            })
    void whatIsNoStatusLineIsRefused(String head) {
        assertThatThrownBy(() -> AnswerHead.parse(head))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("status line");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1\r\nContent-Length: 2",
                "Content-Length: 1\r\nContent-Length: 1",
                "Content-Length: -1",
                "Content-Length: +1",
                "Content-Length: 1,2",
                "Content-Length: 9999999999999999999",
                "Content-Length:",
                "Transfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 5"
            })
    void aBodyWithoutOneLengthIsRefused(String headers) {
        assertThatThrownBy(() -> AnswerHead.parse(OK + headers + "\r\n\r\n")).isInstanceOf(IOException.class);
    }
}
