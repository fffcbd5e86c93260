package org.jspdl.plan.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.PlanException;
import org.jspecify.annotations.Nullable;

/// A plan written in YAML or JSON, with the place of every word. Immutable.
///
/// ```java
/// PlanText text = PlanText.read(Path.of("plan.yaml"));
/// try (CompiledPlan loading = text.compile(Operations.installed(), PlanContext.in(folder))) { ... }
/// ```
///
/// JSON is read as the YAML that it is. Documents are limited to 1 MiB, 64 levels and 100,000 values, counted after
/// aliases are repeated; tags are refused.
public final class PlanText {
    private final Document document;
    private final Listing listing;

    private PlanText(Document document, Listing listing) {
        this.document = document;
        this.listing = listing;
    }

    /// The plan in `file`.
    ///
    /// @throws PlanTextException if it is no YAML, or beyond a limit
    public static PlanText read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream input = Files.newInputStream(file)) {
            bytes = input.readNBytes(Limits.SIZE + 1);
        }
        if (bytes.length > Limits.SIZE) {
            throw new PlanTextException(
                    String.format(Locale.ROOT, "%s: the file has more than the %,d bytes allowed", file, Limits.SIZE),
                    null);
        }
        return of(file.toString(), decoded(file, bytes));
    }

    private static String decoded(Path file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException failure) {
            throw new PlanTextException(file + ": the file is not text in UTF-8", failure);
        }
    }

    /// The plan in `text`, which messages call `name`.
    ///
    /// @throws PlanTextException if it is no YAML, or beyond a limit
    public static PlanText of(String name, String text) {
        Listing listing = new Listing(name, text.lines().toList());
        try {
            return new PlanText(Document.of(name.endsWith(".json") ? spaced(text) : text), listing);
        } catch (Composer.Stopped stopped) {
            throw new PlanTextException(listing.of(List.of(stopped.finding())), stopped);
        }
    }

    /// JSON may be indented by tabs, which YAML forbids; within JSON's texts tabs are always escaped.
    private static String spaced(String json) {
        return json.replace('\t', ' ');
    }

    /// The plan, checked against `operations`.
    ///
    /// @throws PlanTextException that shows every problem
    public Plan plan(Operations operations) {
        List<Finding> findings = new ArrayList<>(document.findings());
        try {
            Plan plan = Plan.checked(document.root(), operations);
            if (findings.isEmpty()) {
                return plan;
            }
        } catch (PlanException wrong) {
            throw located(findings, wrong);
        }
        throw new PlanTextException(listing.of(findings), null);
    }

    /// The plan's pipeline, owned by the caller.
    ///
    /// @throws PlanTextException that shows every problem, or what an operation could not open
    public CompiledPlan compile(Operations operations, PlanContext context) {
        return compile(operations, context, UnaryOperator.identity());
    }

    /// As [#compile(Operations, PlanContext)], with what `change` makes of the checked plan, such as one for a
    /// rank.
    public CompiledPlan compile(Operations operations, PlanContext context, UnaryOperator<Plan> change) {
        Plan plan = change.apply(plan(operations));
        try {
            return plan.compile(operations, context);
        } catch (PlanException failure) {
            throw located(new ArrayList<>(), failure);
        }
    }

    private PlanTextException located(List<Finding> findings, PlanException wrong) {
        wrong.problems().forEach(problem -> findings.add(document.locate(problem)));
        @Nullable Throwable cause = wrong.getCause();
        return new PlanTextException(listing.of(findings), cause);
    }
}
