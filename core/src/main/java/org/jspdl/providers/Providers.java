package org.jspdl.providers;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The providers of a service, as `ServiceLoader` finds them.
///
/// On the class path that opens every jar, most of which are other libraries': reading the names of their classes
/// takes longer than to load the first images, and stays in memory. A launcher that knows which jars have providers
/// names them in the property [#PROPERTY], and no others are opened.
public final class Providers {
    /// The property that names the jars and folders with providers, as a class path does; without wildcards.
    public static final String PROPERTY = "jspdl.providers";

    private static final String SERVICES = "META-INF/services/";

    private Providers() {}

    /// Each provider of `service`, made anew, in the order of the class path.
    ///
    /// @param all what finds them where the property is not set, or the service is in a named module
    /// @throws ServiceConfigurationError if one cannot be made, or the jars cannot be read
    public static <S> List<S> of(Class<S> service, ServiceLoader<S> all) {
        return of(service, all, System.getProperty(PROPERTY, ""));
    }

    static <S> List<S> of(Class<S> service, ServiceLoader<S> all, String jars) {
        if (jars.isEmpty() || service.getModule().isNamed()) {
            return all.stream().map(ServiceLoader.Provider::get).toList();
        }
        Set<String> names = new LinkedHashSet<>();
        for (String jar : jars.split(File.pathSeparator)) {
            try {
                addNamed(Path.of(jar), SERVICES + service.getName(), names);
            } catch (IOException unreadable) {
                throw new ServiceConfigurationError(
                        service.getName() + ": cannot read " + jar + ", which " + PROPERTY + " names", unreadable);
            }
        }
        List<S> providers = new ArrayList<>();
        names.forEach(name -> providers.add(make(service, name)));
        return providers;
    }

    /// The jar is open already where a class came from it, and is not read again then.
    private static void addNamed(Path jar, String entry, Set<String> names) throws IOException {
        if (Files.isDirectory(jar)) {
            Path file = jar.resolve(entry);
            if (Files.isRegularFile(file)) {
                try (BufferedReader lines = Files.newBufferedReader(file)) {
                    addLines(lines, names);
                }
            }
            return;
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry file = zip.getEntry(entry);
            if (file != null) {
                try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(zip.getInputStream(file), StandardCharsets.UTF_8))) {
                    addLines(lines, names);
                }
            }
        }
    }

    private static void addLines(BufferedReader lines, Set<String> names) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int comment = line.indexOf('#');
            String name = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
    }

    private static <S> S make(Class<S> service, String name) {
        try {
            return Class.forName(name, true, service.getClassLoader())
                    .asSubclass(service)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | ClassCastException broken) {
            throw new ServiceConfigurationError(service.getName() + ": " + name + " cannot be made", broken);
        }
    }
}
