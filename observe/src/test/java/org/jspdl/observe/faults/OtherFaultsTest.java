package org.jspdl.observe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Does the diagnosis find what no threshold was set on? The cases are drawn from the hash of the commit that froze its
/// rules, so nobody could choose them.
class OtherFaultsTest {
    /// The first digits of that hash.
    private static final long SEED = 0x30466741d127bf5dL;
    private static final int CASES = 300;

    @Test
    void nineteenOfTwentyAreFound() {
        OtherFaults some = OtherFaults.of(SEED, CASES / 5);

        assertThat(some.missed()).hasSizeLessThanOrEqualTo(CASES / 5 / 20);
    }

    @Test
    @Tag("slow")
    void nineteenOfTwentyOfAllCasesAreFound() {
        OtherFaults all = OtherFaults.of(SEED, CASES);

        assertThat(all.missed()).hasSizeLessThanOrEqualTo(CASES / 20);
    }
}
