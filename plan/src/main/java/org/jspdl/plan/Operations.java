package org.jspdl.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/// The operations that plans may name. Immutable.
public final class Operations {
    private final Map<String, Operation> byName;
    private final List<OperationProvider> providers;

    private Operations(Map<String, Operation> byName, List<OperationProvider> providers) {
        this.byName = byName;
        this.providers = providers;
    }

    /// The operations of every provider that `ServiceLoader` finds, those of this module among them.
    public static Operations installed() {
        List<OperationProvider> providers = new ArrayList<>();
        ServiceLoader.load(OperationProvider.class).forEach(providers::add);
        return of(providers);
    }

    /// The operations of `providers` and no others.
    ///
    /// @throws IllegalStateException if two of them have the same name
    public static Operations of(List<? extends OperationProvider> providers) {
        Map<String, Operation> byName = new TreeMap<>();
        for (OperationProvider provider : providers) {
            for (Operation operation : provider.operations()) {
                Operation before = byName.put(operation.name(), operation);
                if (before != null) {
                    throw new IllegalStateException("there are two operations called '" + operation.name() + "': "
                            + before + ", and " + operation + " from "
                            + provider.getClass().getName());
                }
            }
        }
        return new Operations(Collections.unmodifiableMap(byName), List.copyOf(providers));
    }

    /// What items depend on beside their plan, by name: see [OperationProvider#versions].
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        providers.forEach(provider -> versions.putAll(provider.versions()));
        return versions;
    }

    /// All of them, ordered by name.
    public Collection<Operation> all() {
        return byName.values();
    }

    /// The operation called `name`.
    public Optional<Operation> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
