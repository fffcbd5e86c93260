package org.jspdl.service.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.Test;

/// Answers that come when nobody waits any more.
class SentTest {
    /// An answer that comes just when the wait for it has ended.
    private static final class LateAnswer extends CompletableFuture<Answer> {
        private final Answer answer;
        private final Exception end;

        LateAnswer(Answer answer, Exception end) {
            this.answer = answer;
            this.end = end;
        }

        @Override
        public Answer get(long time, TimeUnit unit) throws InterruptedException, TimeoutException {
            complete(answer);
            switch (end) {
                case InterruptedException interrupt -> throw interrupt;
                case TimeoutException late -> throw late;
                default -> throw new IllegalStateException(end);
            }
        }
    }

    @Test
    void anAnswerThatComesJustWhenItIsGivenUpIsReleased() {
        for (Exception end : new Exception[] {new InterruptedException(), new TimeoutException()}) {
            try (BufferPool pool = BufferPool.unbounded("answers")) {
                Lease body = pool.lease(8);
                LateAnswer late = new LateAnswer(new Answer(200, "", "", body), end);
                Exchanges.Sent sent = new Exchanges.Sent(late, () -> late.cancel(true));

                assertThatThrownBy(() -> sent.take(1)).isSameAs(end);

                assertThat(body.isClosed()).isTrue();
            }
        }
    }

    @Test
    void anAnswerThatWasTakenIsTheCallers() throws Exception {
        try (BufferPool pool = BufferPool.unbounded("answers");
                Lease body = pool.lease(8)) {
            CompletableFuture<Answer> came = CompletableFuture.completedFuture(new Answer(200, "", "", body));
            Exchanges.Sent sent = new Exchanges.Sent(came, () -> came.cancel(true));

            assertThat(sent.take(1).body()).isSameAs(body);
            sent.end().run();

            assertThat(body.isClosed()).isFalse();
        }
    }
}
