package org.jspdl.observe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.observe.diagnosis.Finding;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The cases of the campaign in virtual time: the same rules and predictions, over statistics that are computed.
class VirtualDiagnosisTest {
    private static final int OF_EACH = 10;
    private static final double TOLERANCE = 0.15;

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nineOfTenOfEachFaultAreFound(Fault fault) {
        List<String> missed = new ArrayList<>();
        for (FaultCase each : cases(fault)) {
            Finding first = new VirtualFault(each, false).diagnosis().first();
            boolean placed = !fault.hasStage()
                    || first.stage().equals(each.stages().get(each.faulty()).name());
            if (first.limit() != fault.limit() || !placed) {
                missed.add(each + " was called " + first);
            }
        }

        assertThat(missed).hasSizeLessThanOrEqualTo(OF_EACH / 10);
    }

    @Test
    @Tag("slow")
    void eightOfTenPredictionsHold() {
        List<String> wrong = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            for (FaultCase each : cases(fault)) {
                double predicted = new VirtualFault(each, false).predicted();
                double given = new VirtualFault(each, true).rate();
                if (Math.abs(predicted - given) > TOLERANCE * given) {
                    wrong.add(each + ": predicted " + predicted + ", given " + given);
                }
            }
        }

        assertThat(wrong).hasSizeLessThanOrEqualTo(OF_EACH * Fault.values().length / 5);
    }

    private static List<FaultCase> cases(Fault fault) {
        List<FaultCase> cases = new ArrayList<>();
        for (long seed = fault.ordinal(); cases.size() < OF_EACH; seed += Fault.values().length) {
            cases.add(FaultCase.of(seed));
        }
        return cases;
    }
}
