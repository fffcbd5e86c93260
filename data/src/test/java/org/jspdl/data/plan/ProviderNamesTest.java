package org.jspdl.data.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.junit.jupiter.api.Test;

class ProviderNamesTest {
    @Test
    void whatProvidersSayThatTheirOperationsAreCalledIsWhatTheyAreCalled() {
        assertThat(ServiceLoader.load(OperationProvider.class))
                .hasSizeGreaterThan(3)
                .allSatisfy(provider -> assertThat(provider.operations())
                        .as(provider.getClass().getName())
                        .extracting(Operation::name)
                        .containsExactlyInAnyOrderElementsOf(provider.names()));
    }
}
