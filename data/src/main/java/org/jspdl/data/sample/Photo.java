package org.jspdl.data.sample;

/// What one file of the sample set is, before it is painted.
///
/// @param index   its position in the set; decides everything else together with the set's seed
/// @param quality the encoder's quality, 1 to 100
record Photo(int index, SampleClass label, int width, int height, int quality, Chroma chroma, boolean progressive) {
    /// How much color the file keeps: the sampling of the two color components, or none.
    enum Chroma {
        YUV420,
        YUV422,
        YUV444,
        GRAY
    }

    private static final int[][] COMMON_SIZES = {{500, 375}, {500, 333}, {500, 400}, {500, 500}, {640, 480}};

    /// The photo at `index` of the set made from `seed`.
    static Photo of(long seed, int index) {
        SplitMix random = SplitMix.keyed(seed, 2L * index);
        SampleClass[] classes = SampleClass.values();
        SampleClass label = classes[index % classes.length];
        int[] size = size(random);
        boolean portrait = random.below(100) < 25;
        return new Photo(
                index,
                label,
                portrait ? size[1] : size[0],
                portrait ? size[0] : size[1],
                85 + (random.below(12) + random.below(12) + 1) / 2,
                chroma(random),
                random.below(50) == 0);
    }

    private static int[] size(SplitMix random) {
        int choice = random.below(100);
        if (choice < 55) {
            return COMMON_SIZES[0];
        }
        if (choice < 85) {
            return COMMON_SIZES[1 + (choice - 55) * (COMMON_SIZES.length - 1) / 30];
        }
        if (choice < 97) {
            return new int[] {240 + random.below(360), 200 + random.below(280)};
        }
        return new int[] {700 + random.below(325), 500 + random.below(269)};
    }

    private static Chroma chroma(SplitMix random) {
        int choice = random.below(100);
        if (choice < 2) {
            return Chroma.GRAY;
        }
        if (choice < 5) {
            return Chroma.YUV422;
        }
        return choice < 13 ? Chroma.YUV444 : Chroma.YUV420;
    }

    /// The file's path inside the set, with `/` between folder and name.
    String path() {
        return label.folder() + "/" + label.folder() + "-"
                + String.format(java.util.Locale.ROOT, "%04d", index / SampleClass.values().length) + ".jpg";
    }
}
