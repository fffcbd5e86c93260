package org.jspdl.plan;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspdl.providers.Providers;

/// The operations that plans may name. Those of a provider are made when one of them is asked for. Thread-safe.
public final class Operations {
    private final Map<String, OperationProvider> byName = new TreeMap<>(); // unchanged once it is made
    private final Map<OperationProvider, Map<String, Operation>> made = new ConcurrentHashMap<>();

    private Operations() {}

    /// The operations of every provider that `ServiceLoader` finds, those of this module among them.
    public static Operations installed() {
        return of(Providers.of(OperationProvider.class, ServiceLoader.load(OperationProvider.class)));
    }

    /// The operations of `providers` and no others.
    ///
    /// @throws IllegalStateException if two of them have the same name
    public static Operations of(List<? extends OperationProvider> providers) {
        Operations all = new Operations();
        providers.forEach(provider -> provider.names().forEach(name -> all.add(name, provider)));
        return all;
    }

    private void add(String name, OperationProvider provider) {
        OperationProvider before = byName.put(name, provider);
        if (before != null) {
            throw new IllegalStateException("there are two operations called '" + name + "': "
                    + make(before).get(name) + ", and " + make(provider).get(name) + " from "
                    + provider.getClass().getName());
        }
    }

    private static Map<String, Operation> make(OperationProvider provider) {
        return provider.operations().stream().collect(Collectors.toMap(Operation::name, operation -> operation));
    }

    /// What items depend on beside their plan, by name: see [OperationProvider#versions].
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        new LinkedHashSet<>(byName.values()).forEach(provider -> versions.putAll(provider.versions()));
        return versions;
    }

    /// All of them, ordered by name.
    public Collection<Operation> all() {
        return byName.keySet().stream().flatMap(name -> find(name).stream()).toList();
    }

    /// The operation called `name`.
    public Optional<Operation> find(String name) {
        return Optional.ofNullable(byName.get(name))
                .flatMap(of -> Optional.ofNullable(
                        made.computeIfAbsent(of, Operations::make).get(name)));
    }
}
