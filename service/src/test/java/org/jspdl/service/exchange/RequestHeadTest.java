package org.jspdl.service.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
    @Test
    void methodPathAndWhoAsksAreRead() {
        assertThat(RequestHead.parse("GET /v1/a?b=c HTTP/1.1\r\nHost: x\r\nAUTHORIZATION:  Bearer t \r\n\r\n"))
                .isEqualTo(new RequestHead("GET", "/v1/a", Optional.of("Bearer t"), true));
        assertThat(RequestHead.parse("PUT / HTTP/1.1\nContent-Length: 0\n\n"))
                .isEqualTo(new RequestHead("PUT", "/", Optional.empty(), true));
    }

    @Test
    void aConnectionThatIsToBeClosedIsNotKept() {
        assertThat(RequestHead.parse("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
                        .keeps())
                .isFalse();
        assertThat(RequestHead.parse("GET / HTTP/1.0\r\n\r\n").keeps()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\r\n\r\n",
                "GET /\r\n\r\n",
                "GET  / HTTP/1.1\r\n\r\n",
                "GET a HTTP/1.1\r\n\r\n",
                "GET / HTTP/2.0\r\n\r\n",
                "G(T / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nno header\r\n\r\n",
                "GET / HTTP/1.1\r\n: nameless\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
                "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n",
                "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n"
            })
    void whatIsNoRequestWithoutABodyIsRefused(String head) {
        assertThatThrownBy(() -> RequestHead.parse(head)).isInstanceOf(IllegalArgumentException.class);
    }
}
