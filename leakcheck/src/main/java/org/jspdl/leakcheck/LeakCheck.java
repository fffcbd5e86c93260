package org.jspdl.leakcheck;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test that leaves behind a thread whose name starts with `jspdl-`, or a resource that a [LeakProbe] reports.
///
/// What lived before the test (or the test class, for what `@BeforeAll` made) is not held against it. Threads that are
/// just ending are waited for, together up to the configuration parameter `jspdl.leakcheck.patience-millis` (default
/// 60,000: on a busy machine a thread may wait long for a processor). Use it by `@ExtendWith(LeakCheck.class)`, or for
/// all tests by `junit.jupiter.extensions.autodetection.enabled=true`. Tests must not run in parallel within one JVM,
/// since the leaks of one would be seen as the leaks of another.
public final class LeakCheck implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    static final String PATIENCE = "jspdl.leakcheck.patience-millis";
    private static final int DEFAULT_PATIENCE_MILLIS = 60_000;
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LeakCheck.class);

    private final List<LeakProbe> probes;

    /// Made by JUnit; finds its probes through the class loader of the tests.
    public LeakCheck() {
        probes = ServiceLoader.load(LeakProbe.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        remember(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        remember(context);
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        check(context);
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        check(context);
    }

    private void remember(ExtensionContext context) {
        context.getStore(NAMESPACE).put(context.getUniqueId(), Snapshot.take(probes));
    }

    private void check(ExtensionContext context) throws InterruptedException {
        Snapshot before = context.getStore(NAMESPACE).remove(context.getUniqueId(), Snapshot.class);
        if (before == null) {
            return; // switched on twice, by detection and by annotation: the other one has checked
        }
        Duration patience = context.getConfigurationParameter(PATIENCE, Long::valueOf)
                .map(Duration::ofMillis)
                .orElse(Duration.ofMillis(DEFAULT_PATIENCE_MILLIS));
        List<String> leaks = before.leaksSince(patience);
        if (!leaks.isEmpty()) {
            forgiveTheClasses(context);
            throw new AssertionError(message(context.getDisplayName(), leaks));
        }
    }

    /// A leak is reported once, by the test that made it, and not again by the classes around it.
    private void forgiveTheClasses(ExtensionContext context) {
        for (Optional<ExtensionContext> outer = context.getParent();
                outer.isPresent();
                outer = outer.get().getParent()) {
            ExtensionContext.Store store = outer.get().getStore(NAMESPACE);
            if (store.get(outer.get().getUniqueId()) != null) {
                remember(outer.get());
            }
        }
    }

    private static String message(String test, List<String> leaks) {
        String hint = LiveThreads.seesVirtualThreads()
                ? ""
                : System.lineSeparator()
                        + "  (virtual threads were not looked at: start the test JVM with"
                        + " --add-exports java.base/jdk.internal.vm=ALL-UNNAMED)";
        return test + " leaked " + leaks.size() + (leaks.size() == 1 ? " resource:" : " resources:")
                + System.lineSeparator() + "  - " + String.join(System.lineSeparator() + "  - ", leaks) + hint;
    }
}
