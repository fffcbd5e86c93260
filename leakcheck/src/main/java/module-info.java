import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.leakcheck.LeakProbe;

/// A JUnit extension that fails a test which leaks threads or memory.
@org.jspecify.annotations.NullMarked
module org.jspdl.leakcheck {
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports org.jspdl.leakcheck;

    uses LeakProbe;

    provides org.junit.jupiter.api.extension.Extension with
            LeakCheck;
}
