package org.jspdl.data.plan;

import static org.jspdl.data.plan.OrderParameters.CACHE;
import static org.jspdl.data.plan.OrderParameters.CACHE_SIZE;
import static org.jspdl.data.plan.OrderParameters.EVEN;
import static org.jspdl.data.plan.OrderParameters.PATH;
import static org.jspdl.data.plan.OrderParameters.RANK;
import static org.jspdl.data.plan.OrderParameters.SEED;
import static org.jspdl.data.plan.OrderParameters.SHUFFLE;
import static org.jspdl.data.plan.OrderParameters.STORAGE;
import static org.jspdl.data.plan.OrderParameters.WORLD_SIZE;

import java.io.IOException;
import java.util.List;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.data.text.ByteTokenizer;
import org.jspdl.data.text.Packing;
import org.jspdl.data.text.TextRows;
import org.jspdl.data.text.TokenFile;
import org.jspdl.data.text.TokenPieces;
import org.jspdl.data.text.TokenSequence;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.OperationProvider;
import org.jspdl.plan.Parameter;
import org.jspdl.plan.TypeToken;
import org.jspdl.source.BalancedBatchSampler;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// Text and tokens, for plans: `texts` and `token-file` list them, `tokenize-bytes` and `pack` make sequences,
/// `stack-tokens` batches.
public final class TextOperations implements OperationProvider {
    /// What one text is.
    enum Unit {
        /// A line that is not empty.
        LINE,
        /// What is between empty lines.
        DOCUMENT
    }

    /// How documents become sequences.
    enum Strategy {
        /// One document behind the other, cut where a sequence is full.
        CONCATENATE,
        /// Whole documents, where they fit best.
        BEST_FIT
    }

    /// How a file of tokens becomes sequences.
    enum FileStrategy {
        /// One document behind the other, cut where a sequence is full.
        CONCATENATE,
        /// Whole documents, so that all sequences cost the same.
        BALANCED
    }

    private static final TypeToken<String> TEXT = TypeToken.of(String.class);
    private static final TypeToken<int[]> TOKENS = TypeToken.of(int[].class);
    private static final TypeToken<TokenSequence> SEQUENCE = TypeToken.of(TokenSequence.class);
    private static final int MOST_TOKENS = 1 << 24;
    private static final int NONE = -1;

    private static final Parameter<Unit> UNIT =
            Parameter.choice("unit", Unit.class).orElse(Unit.LINE);
    private static final Parameter<String> FIELD = Parameter.text("field").orElse("text");
    private static final Parameter<Integer> LENGTH = Parameter.count("length", 1, MOST_TOKENS);
    private static final Parameter<Integer> STRIDE =
            Parameter.count("stride", 0, MOST_TOKENS).orElse(0);
    private static final Parameter<Strategy> STRATEGY =
            Parameter.choice("strategy", Strategy.class).orElse(Strategy.CONCATENATE);
    private static final Parameter<Integer> WINDOW =
            Parameter.count("window", 1, 1 << 20).orElse(1000);
    private static final Parameter<FileStrategy> FILE_STRATEGY =
            Parameter.choice("strategy", FileStrategy.class).orElse(FileStrategy.CONCATENATE);
    private static final Parameter<Integer> LONGEST =
            Parameter.count("longest", 0, MOST_TOKENS).orElse(0);
    private static final Parameter<Integer> END =
            Parameter.count("end-of-document", NONE, Integer.MAX_VALUE).orElse(NONE);
    private static final Parameter<Integer> PADDING =
            Parameter.count("padding", 0, Integer.MAX_VALUE).orElse(0);

    /// For `ServiceLoader`.
    public TextOperations() {}

    @Override
    public List<String> names() {
        return List.of("texts token-file take-text tokenize-bytes pack stack-tokens".split(" "));
    }

    @Override
    public List<Operation> operations() {
        return List.of(
                Operation.source(
                        "texts",
                        TEXT,
                        TextOperations::texts,
                        PATH,
                        UNIT,
                        SHUFFLE,
                        SEED,
                        RANK,
                        WORLD_SIZE,
                        EVEN,
                        CACHE,
                        CACHE_SIZE,
                        STORAGE),
                Operation.source(
                        "token-file",
                        SEQUENCE,
                        TextOperations::tokenFile,
                        PATH,
                        LENGTH,
                        STRIDE,
                        FILE_STRATEGY,
                        LONGEST,
                        PADDING,
                        SHUFFLE,
                        SEED,
                        RANK,
                        WORLD_SIZE,
                        EVEN),
                Operation.function("take-text", SampleOperations.SAMPLE, TEXT, TextOperations::takeText, FIELD),
                Operation.function("tokenize-bytes", TEXT, TOKENS, given -> new ByteTokenizer()::encode),
                Operation.part("pack", TOKENS, SEQUENCE, TextOperations::pack, LENGTH, STRATEGY, WINDOW, END, PADDING),
                Operation.function(
                        "stack-tokens",
                        TypeToken.listOf(SEQUENCE),
                        TypeToken.of(TensorBatch.class),
                        given -> TokenSequence.collation(Collating.batches(given))));
    }

    private static Source<String> texts(Arguments given) throws IOException {
        Storage storage = OrderParameters.cachedStorage(given);
        Location location = OrderParameters.location(given);
        FileVersions versions = DatasetVersions.expected(
                given.offered(DatasetVersions.class), () -> FileVersions.ofShards(storage, List.of(location)));
        TextRows rows = given.keep(
                given.get(UNIT) == Unit.LINE
                        ? TextRows.lines(storage, location)
                        : TextRows.documents(storage, location));
        try (StoredObject file = storage.object(location)) {
            ObjectVersion.require(file, versions.get(0));
        }
        return listing("texts of " + shortName(location) + " in " + rows.byteSize() + " bytes", rows, given);
    }

    private static Source<TokenSequence> tokenFile(Arguments given) throws IOException {
        Location location = OrderParameters.location(given);
        TokenFile file = given.keep(TokenFile.open(location.path()));
        int length = given.get(LENGTH);
        int stride = given.get(STRIDE) == 0 ? length : given.get(STRIDE);
        int longest = given.get(LONGEST) == 0 ? length : given.get(LONGEST);
        return switch (given.get(FILE_STRATEGY)) {
            case CONCATENATE ->
                listing(
                        shortName(location) + ": " + file.tokens() + " tokens of " + file.documents() + ", " + length
                                + " each " + stride,
                        file.sequences(length, stride),
                        given);
            case BALANCED -> balanced(file.pieces(Math.min(longest, length)), shortName(location), given);
        };
    }

    private static Source<TokenSequence> balanced(TokenPieces pieces, String name, Arguments given) throws IOException {
        OrderParameters.checkRank(given);
        BalancedBatchSampler packs = pieces.balanced(given.get(LENGTH)).named(name);
        packs = given.get(SHUFFLE) ? packs.shuffled(given.get(SEED)) : packs;
        int padding = given.get(PADDING);
        return Sources.map(
                packs.shard(given.get(RANK), given.get(WORLD_SIZE)).even(given.get(EVEN)),
                batch -> pieces.sequence(batch, padding));
    }

    /// What a file is called, wherever it lies.
    private static String shortName(Location location) {
        return location.name().substring(location.name().lastIndexOf('/') + 1);
    }

    private static <T> Source<T> listing(String what, Dataset<T> dataset, Arguments given) throws IOException {
        return OrderParameters.sampler(dataset.size(), given).items(what, (_, index, _) -> dataset.get(index));
    }

    private static StageFunction<PlanSample, String> takeText(Arguments given) {
        LoadText.Texts texts = LoadText.texts(given);
        String field = given.get(FIELD);
        return sample -> {
            try (sample) {
                return texts.of(sample, field);
            }
        };
    }

    private static Pipeline<TokenSequence> pack(Pipeline<int[]> documents, Arguments given) {
        Packing packing = Packing.into(given.get(LENGTH)).padding(given.get(PADDING));
        packing = given.get(END) == NONE ? packing : packing.endOfDocument(given.get(END));
        return given.get(STRATEGY) == Strategy.CONCATENATE
                ? packing.concatenate(documents)
                : packing.bestFit(documents, given.get(WINDOW));
    }
}
