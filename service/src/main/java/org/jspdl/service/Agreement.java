package org.jspdl.service;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspdl.data.image.ImageServiceProvider.Wanted;
import org.jspdl.plan.Operations;

/// Asks workers what they serve, and settles on what most of those serve that have what is wanted. Used once, by one
/// thread.
///
/// @param workers that are asked; their troubles are noted
record Agreement(Workers workers, Wanted wanted, ClientOptions options, HttpClient client) {
    private static final Duration DESCRIBING = Duration.ofSeconds(5);

    /// Waits for workers that are not there yet, and not for those that are slower than a piece may be, if another
    /// has answered. Several ranks wait for all, and until all serve the same, as after a rolling update.
    ///
    /// @throws IOException if none serves what is wanted; the message says what each does
    Description reach() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + options.patience().toNanos();
        while (true) {
            workers.look();
            Map<URI, CompletableFuture<Description>> asked = new LinkedHashMap<>();
            for (URI address : workers.addresses()) {
                asked.put(address, ask(address));
            }
            if (!await(asked, options.hedge())
                    && (wanted.ranks() > 1 || asked.values().stream().noneMatch(Agreement::isGood))) {
                await(asked, DESCRIBING);
            }
            Map<String, List<Description>> found = new LinkedHashMap<>();
            boolean mayChange = asked.isEmpty();
            for (Map.Entry<URI, CompletableFuture<Description>> each : asked.entrySet()) {
                mayChange |= note(each.getKey(), each.getValue(), found);
            }
            List<Description> most = List.of();
            for (List<Description> each : found.values()) {
                most = each.size() > most.size() ? each : most;
            }
            boolean differ = wanted.ranks() > 1 && found.size() > 1;
            if (!most.isEmpty() && !differ) {
                return most.getFirst();
            }
            long left = deadline - System.nanoTime();
            if (differ) {
                awaitUpdate(found.keySet(), left);
                continue;
            }
            if (!mayChange || left <= 0) {
                throw new IOException("no worker serves this plan: " + workers.troubles());
            }
            workers.await(deadline, Set.of(), () -> false);
        }
    }

    /// Waits a while for workers to be replaced.
    private void awaitUpdate(Set<String> fingerprints, long left) throws IOException, InterruptedException {
        if (left <= 0) {
            throw new IOException(
                    "workers serve different plans, datasets or decoders, with the fingerprints " + fingerprints
                            + ", and each of " + wanted.ranks()
                            + " ranks could settle on another: begin when all serve the same");
        }
        TimeUnit.NANOSECONDS.sleep(Math.min(left, options.hedge().toNanos()));
    }

    private CompletableFuture<Description> ask(URI address) {
        HttpRequest request = RemotePieces.request(address, "/v1/dataset", options)
                .timeout(DESCRIBING)
                .build();
        return client.sendAsync(
                        request,
                        _ -> HttpResponse.BodySubscribers.limiting(
                                HttpResponse.BodySubscribers.ofByteArray(), Description.LONGEST))
                .thenApply(Agreement::described);
    }

    private static Description described(HttpResponse<byte[]> answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        if (answer.statusCode() != 200) {
            throw new IllegalArgumentException("answered " + answer.statusCode() + " " + RemotePieces.error(text));
        }
        return Description.parse(text);
    }

    /// Whether all have answered in time.
    private static boolean await(Map<URI, CompletableFuture<Description>> asked, Duration time)
            throws InterruptedException {
        try {
            CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                    .get(time.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException someFailed) {
            return true;
        } catch (TimeoutException slow) {
            return false;
        }
    }

    private static boolean isGood(CompletableFuture<Description> answer) {
        return answer.state() == CompletableFuture.State.SUCCESS;
    }

    /// Why a part of what a worker serves can't be decoded here; empty if it can, or none is to be.
    private String otherThanHere(Description one) {
        if (wanted.snapshot().isEmpty()) {
            return "";
        }
        if (!one.snapshot().equals(wanted.snapshot().get())) {
            return "serves another dataset than this machine has, which is to decode a part of it (local: auto)";
        }
        Map<String, String> versions = Operations.installed().versions();
        return one.versions().equals(versions)
                ? ""
                : "decodes with " + one.versions()
                        + ", and this machine, which is to decode a part (local: auto), with " + versions;
    }

    /// Adds what a worker serves to `found` if it is what is wanted.
    ///
    /// @return whether it may give another answer soon
    private boolean note(URI address, CompletableFuture<Description> answer, Map<String, List<Description>> found) {
        return switch (answer.state()) {
            case SUCCESS -> {
                Description one = answer.resultNow();
                String other = otherThanHere(one);
                if (!other.isEmpty()) {
                    workers.noted(address, other);
                } else if (wanted.isOf(one.order(), one.places()) && one.seed() == wanted.seed()) {
                    found.computeIfAbsent(one.fingerprint(), _ -> new ArrayList<>())
                            .add(one);
                } else {
                    workers.noted(
                            address,
                            "serves the order " + one.order() + " with seed " + one.seed() + ", and this plan is of "
                                    + wanted.expected(one.order(), one.places()) + " with seed " + wanted.seed());
                }
                yield false;
            }
            case FAILED -> {
                Throwable failure = answer.exceptionNow();
                boolean isWrong = failure instanceof IllegalArgumentException || failure instanceof ArithmeticException;
                Optional<String> tls = TlsTrouble.of(failure, address, options)
                        .or(() -> TlsTrouble.ofSilence(failure, address, client));
                workers.noted(address, tls.orElseGet(() -> String.valueOf(isWrong ? failure.getMessage() : failure)));
                yield !isWrong && tls.isEmpty();
            }
            case RUNNING, CANCELLED -> {
                answer.cancel(true);
                Optional<String> tls = TlsTrouble.ofSilence(new HttpTimeoutException("slow"), address, client);
                workers.noted(address, tls.orElse("did not say in time what it serves"));
                yield tls.isEmpty();
            }
        };
    }
}
