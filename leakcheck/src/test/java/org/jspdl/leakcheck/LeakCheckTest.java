package org.jspdl.leakcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/// Runs the samples through JUnit itself, with a patience of 200 ms where something leaks, and reads what it reports.
class LeakCheckTest {
    @BeforeEach
    void holdTheSampleThreads() {
        Samples.release = new CountDownLatch(1);
    }

    @AfterEach
    void letGo() {
        Samples.release.countDown();
        ShelfProbe.SHELF.clear();
    }

    @Test
    void aPlatformThreadLeftBehindFailsTheTestWithItsNameAndStack() {
        assertThat(onlyFailure(Samples.PlatformThread.class))
                .contains("leaves() leaked 1 resource", "thread 'jspdl-sample' (WAITING)", "Samples.hold");
    }

    @Test
    void aVirtualThreadLeftBehindFailsTheTestWithItsNameAndStack() {
        assertThat(onlyFailure(Samples.VirtualThread.class))
                .contains("virtual thread 'jspdl-virtual' (WAITING)", "Samples.hold");
    }

    @Test
    void aVirtualThreadOfAForgottenExecutorFailsTheTest() {
        assertThat(onlyFailure(Samples.VirtualThreadOfAnExecutor.class)).contains("virtual thread 'jspdl-task-0'");
    }

    @Test
    void threadsOfOtherNamesAreNotOurs() {
        assertThat(failures(Samples.ForeignThread.class)).isEmpty();
    }

    @Test
    void threadsThatAreAboutToEndAreWaitedForAndSoAreThoseTheyStart() {
        assertThat(failures(Samples.EndingThread.class, "100000")).isEmpty();
    }

    @Test
    void whatAProbeReportsFailsTheTestAndNamesTheProbe() {
        assertThat(onlyFailure(Samples.ProbedResource.class)).contains("shelves: a book of 64 bytes");
    }

    @Test
    void whatTheClassOpenedBeforeItsTestsIsNotHeldAgainstThem() {
        assertThat(failures(Samples.SharedByTheClass.class)).isEmpty();
    }

    @Test
    void whatTheClassNeverClosedFailsTheClass() {
        assertThat(onlyFailure(Samples.ForgottenByTheClass.class)).contains("ForgottenByTheClass leaked", "forgotten");
    }

    @Test
    void aFailureOfTheTestItselfStaysTheFirstAndTheLeakIsSuppressed() {
        Throwable failure = failures(Samples.AlreadyFailing.class).getFirst();

        assertThat(failure).hasMessage("the first failure");
        assertThat(failure.getSuppressed()).singleElement().asString().contains("left by a failing test");
    }

    @Test
    void theExtensionIsFoundByDetection() {
        Events events = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Samples.WithoutTheAnnotation.class))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter(LeakCheck.PATIENCE, "200")
                .execute()
                .allEvents();

        assertThat(failuresIn(events)).singleElement().asString().contains("found by detection");
    }

    @Test
    void virtualThreadsAreSeenInThisBuild() {
        assertThat(LiveThreads.seesVirtualThreads()).isTrue();
    }

    private static String onlyFailure(Class<?> sample) {
        List<Throwable> failures = failures(sample);
        assertThat(failures).hasSize(1);
        return String.valueOf(failures.getFirst().getMessage());
    }

    private static List<Throwable> failures(Class<?> sample) {
        return failures(sample, "200");
    }

    private static List<Throwable> failures(Class<?> sample, String patienceMillis) {
        return failuresIn(EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(sample))
                .configurationParameter(LeakCheck.PATIENCE, patienceMillis)
                .execute()
                .allEvents());
    }

    private static List<Throwable> failuresIn(Events events) {
        return events.failed().stream()
                .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow())
                .toList();
    }
}
