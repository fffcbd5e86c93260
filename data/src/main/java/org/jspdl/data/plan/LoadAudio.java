package org.jspdl.data.plan;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.data.plan.value.IsolationParameters;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `load-audio`: a sound becomes a tensor [channels, samples], and its number of samples a field of its own.
final class LoadAudio {
    /// Which part of a sound that is too long is taken.
    enum Crop {
        START,
        RANDOM
    }

    private static final Parameter<List<String>> FROM =
            FieldLoading.from("file", "wav", "flac", "mp3", "ogg", "opus", "m4a", "aac", "audio");
    private static final Parameter<String> TO = FieldLoading.to("audio");
    private static final Parameter<Integer> SAMPLE_RATE =
            Parameter.count("sample-rate", 0, 10_000_000).orElse(0);
    private static final Parameter<Integer> CHANNELS =
            Parameter.count("channels", 0, 64).orElse(0);
    private static final Parameter<Long> SAMPLES =
            Parameter.whole("samples", 0, 1L << 31).orElse(0L);
    private static final Parameter<Crop> CROP =
            Parameter.choice("crop", Crop.class).orElse(Crop.START);
    private static final Parameter<ElementType> DTYPE =
            Parameter.choice("dtype", ElementType.class).orElse(ElementType.FLOAT32);

    private LoadAudio() {}

    static Operation operation() {
        return Operation.seeded(
                "load-audio",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                LoadAudio::make,
                FROM,
                TO,
                SAMPLE_RATE,
                CHANNELS,
                SAMPLES,
                CROP,
                DTYPE,
                IsolationParameters.ISOLATION,
                IsolationParameters.DECODE_DEADLINE);
    }

    private static FieldLoading make(Arguments given) {
        long samples = given.get(SAMPLES);
        if (given.get(CROP) == Crop.RANDOM && samples == 0) {
            throw new IllegalArgumentException("crop: random needs 'samples', the length of what is cropped");
        }
        AudioSpec spec = AudioSpec.original().elements(given.get(DTYPE));
        spec = given.get(SAMPLE_RATE) > 0 ? spec.sampleRateHz(given.get(SAMPLE_RATE)) : spec;
        spec = given.get(CHANNELS) > 0 ? spec.channels(given.get(CHANNELS)) : spec;
        BufferPool pool = given.keep(BufferPool.unbounded("sounds"));
        AudioDecoder decoder = given.keep(AudioDecoder.create(spec, IsolationParameters.of(given)));
        boolean random = given.get(CROP) == Crop.RANDOM;
        String to = given.get(TO);
        return new FieldLoading(given.get(FROM), to, (encoded, sample, chance) -> {
            Tensor sound = encoded.open(pool, sample.name(), source -> decoder.decode(source, pool));
            long length = sound.shape().extent(1);
            sample.adding("the length", to + "_length", samples == 0 ? length : Math.min(length, samples));
            return samples == 0 ? sound : part(sound, samples, random, chance, pool);
        });
    }

    /// `samples` of each channel of `sound`, which is used up; silence behind its end.
    private static Tensor part(Tensor sound, long samples, boolean random, RandomGenerator chance, BufferPool pool) {
        long length = sound.shape().extent(1);
        if (length == samples) {
            return sound;
        }
        try (sound) {
            long channels = sound.shape().extent(0);
            long bytes = sound.type().byteSize();
            long begin = random && length > samples ? chance.nextLong(length - samples + 1) : 0;
            long copied = Math.min(length, samples);
            Tensor part = Tensor.allocate(sound.type(), Shape.of(channels, samples), pool);
            byte silence = (byte) (sound.type() == ElementType.UINT8 ? 128 : 0);
            for (long channel = 0; channel < channels; channel++) {
                long target = channel * samples * bytes;
                part.segment()
                        .asSlice(target, copied * bytes)
                        .copyFrom(sound.segment().asSlice((channel * length + begin) * bytes, copied * bytes));
                part.segment()
                        .asSlice(target + copied * bytes, (samples - copied) * bytes)
                        .fill(silence);
            }
            return part;
        }
    }
}
