package org.jspdl.observe.live;

import java.io.IOException;
import java.time.Duration;
import org.jspdl.json.JsonWriter;
import org.jspdl.pipeline.RunHandle;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.Change;

/// How a run is changed from outside: a request and an answer, one JSON object each.
final class LiveControl {
    private LiveControl() {}

    static String request(Tuning tuning) {
        JsonWriter json = JsonWriter.compact().beginObject().put("stage", tuning.stage());
        switch (tuning) {
            case Tuning.Concurrency(var _, int calls) -> json.put("concurrency", calls);
            case Tuning.Buffer(var _, int items) -> json.put("buffer", items);
        }
        return json.endObject().document();
    }

    /// Changes `run` as `request` asks; the answer says what was changed or why nothing was.
    static String obey(RunHandle run, String request) {
        JsonWriter json = JsonWriter.compact().beginObject();
        try {
            LiveFields fields = LiveFields.parse(request);
            String stage = fields.text("stage");
            long buffer = fields.whole("buffer");
            Change change = run.tune(
                    buffer > 0
                            ? Tuning.buffer(stage, Math.toIntExact(buffer))
                            : Tuning.concurrency(stage, Math.toIntExact(fields.whole("concurrency"))));
            json.put("at_seconds", change.at().toNanos() / 1e9)
                    .put("stage", change.stage())
                    .put("what", change.what())
                    .put("from", change.from())
                    .put("to", change.to());
        } catch (IllegalArgumentException | IllegalStateException | ArithmeticException refused) {
            json.put("error", String.valueOf(refused.getMessage()));
        }
        return json.endObject().document();
    }

    /// What an answer says.
    ///
    /// @throws IOException if it says that nothing was changed, with the reason
    static Change change(String answer) throws IOException {
        LiveFields fields;
        try {
            fields = LiveFields.parse(answer);
        } catch (IllegalArgumentException ended) {
            throw new IOException("the run has ended", ended);
        }
        if (!fields.text("error").isEmpty()) {
            throw new IOException(fields.text("error"));
        }
        return new Change(
                Duration.ofNanos(Math.round(fields.number("at_seconds") * 1e9)),
                fields.text("stage"),
                fields.text("what"),
                (int) fields.whole("from"),
                (int) fields.whole("to"));
    }
}
