package org.jspdl.data.plan.value;

import java.time.Duration;
import org.jspdl.media.image.Isolation;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Parameter;

/// How plans say which sounds and videos are decoded in helper processes.
public final class IsolationParameters {
    /// Which files.
    public static final Parameter<Isolation.Scope> ISOLATION = Parameter.choice("isolation", Isolation.Scope.class)
            .orElse(Isolation.forMedia().scope());
    /// The time that a file has.
    public static final Parameter<Duration> DECODE_DEADLINE =
            Parameter.duration("decode-deadline").orElse(Isolation.forMedia().deadline());

    private IsolationParameters() {}

    /// What a plan says.
    public static Isolation of(Arguments given) {
        return new Isolation(given.get(ISOLATION), given.get(DECODE_DEADLINE));
    }
}
