package org.jspdl.service;

import java.time.Duration;
import java.util.Optional;

/// How a loader asks workers. Immutable.
///
/// @param token    what requests carry; empty for none
/// @param patience how long a piece may take, whatever happens to workers, before the run fails
/// @param attempt  how long one worker may take for a piece
/// @param hedge    after which time a second worker is asked while too few pieces have come to know what is slow
/// @param rest     for how long a worker is left alone that serves something else, or sent what can't be
/// @param ahead    pieces that are asked for at once; 0 for as many as workers make at once, and two more. A loader
///     asks for no more than take 512 MiB
/// @param tls      whom to trust where workers are `https://`
public record ClientOptions(
        Optional<String> token,
        Duration patience,
        Duration attempt,
        Duration hedge,
        Duration rest,
        int ahead,
        ClientTls tls) {
    /// Where the token comes from if a program gives none.
    public static final String TOKEN_VARIABLE = "JSPDL_SERVICE_TOKEN";

    /// Checks that times are positive.
    public ClientOptions {
        for (Duration each : new Duration[] {patience, attempt, hedge, rest}) {
            if (!each.isPositive()) {
                throw new IllegalArgumentException("times must be positive but one was " + each);
            }
        }
        if (ahead < 0) {
            throw new IllegalArgumentException("ahead must not be negative but was " + ahead);
        }
    }

    /// The same, trusting what Java trusts.
    public ClientOptions(
            Optional<String> token, Duration patience, Duration attempt, Duration hedge, Duration rest, int ahead) {
        this(token, patience, attempt, hedge, rest, ahead, ClientTls.defaults());
    }

    /// A minute for a piece, 20 seconds for one worker's attempt, and the token and the certificates of the
    /// environment.
    ///
    /// @throws IllegalArgumentException if the environment names a certificate without a key, or a key alone
    public static ClientOptions defaults() {
        return new ClientOptions(
                Optional.ofNullable(System.getenv(TOKEN_VARIABLE)).filter(token -> !token.isBlank()),
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                0,
                ClientTls.of(System.getenv()));
    }

    /// These options with another token.
    public ClientOptions token(String other) {
        return new ClientOptions(Optional.of(other), patience, attempt, hedge, rest, ahead, tls);
    }

    /// These options with other times.
    public ClientOptions times(Duration newPatience, Duration newAttempt, Duration newHedge, Duration newRest) {
        return new ClientOptions(token, newPatience, newAttempt, newHedge, newRest, ahead, tls);
    }

    /// These options with another number of pieces asked for at once.
    public ClientOptions ahead(int pieces) {
        return new ClientOptions(token, patience, attempt, hedge, rest, pieces, tls);
    }

    /// These options with other certificates.
    public ClientOptions tls(ClientTls files) {
        return new ClientOptions(token, patience, attempt, hedge, rest, ahead, files);
    }

    /// Without the token.
    @Override
    public String toString() {
        return "ClientOptions[patience " + patience + ", attempt " + attempt + ", hedge " + hedge + ", rest " + rest
                + "]";
    }
}
