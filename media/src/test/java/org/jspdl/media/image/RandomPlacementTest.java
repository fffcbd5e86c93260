package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RandomPlacementTest {
    private static final int DRAWS = 20_000;

    @Test
    void aRandomResizedCropHasTorchvisionsDistribution() {
        // means over 60,000 draws of torchvision 0.14's RandomResizedCrop.get_params for an image of 500 x 375
        ImageSpec spec = ImageSpec.randomResizedCrop(224, 224);
        SplittableRandom random = new SplittableRandom(7);
        double area = 0;
        double ratio = 0;
        double left = 0;
        for (int i = 0; i < DRAWS; i++) {
            ImagePlacement placement = spec.sample(500, 375, random).placement();
            placement.check(500, 375);
            area += (double) placement.boxWidth() * placement.boxHeight() / (500 * 375) / DRAWS;
            ratio += Math.log((double) placement.boxWidth() / placement.boxHeight()) / DRAWS;
            left += (double) placement.boxX() / DRAWS;
        }

        assertThat(area).isCloseTo(0.4329, within(0.01));
        assertThat(ratio).isCloseTo(0.0308, within(0.005));
        assertThat(left).isCloseTo(108.8, within(2.0));
    }

    @Test
    void anImageTooLongForTheRatioIsCutInTheMiddle() {
        ImagePlacement placement = ImageSpec.randomResizedCrop(10, 10, 1, 1, 0.75, 1.25)
                .sample(1000, 10, new SplittableRandom(1))
                .placement();

        assertThat(placement).isEqualTo(ImagePlacement.of(494, 0, 12, 10, 10, 10));
    }

    /// Of an image of 2 x 2 pixels, 0.4 columns would be rounded to none.
    @Test
    void aPartOfATinyImageHasAPixelAtLeast() {
        for (double ratio : new double[] {0.1, 10}) {
            ImageSpec spec = ImageSpec.randomResizedCrop(4, 4, 1, 1, ratio, ratio * 2);

            spec.place(2, 2).check(2, 2);
            spec.sample(2, 2, new SplittableRandom(1)).placement().check(2, 2);
        }
    }

    @Test
    void aRandomCropIsUniformOverEveryPlaceWhereItFits() {
        ImageSpec spec = ImageSpec.original().randomCrop(8, 6, 1);
        SplittableRandom random = new SplittableRandom(3);
        int[] lefts = new int[5];
        int[] tops = new int[3];
        for (int i = 0; i < DRAWS; i++) {
            ImagePlacement placement = spec.sample(10, 6, random).placement();
            lefts[placement.left() + 1]++;
            tops[placement.top() + 1]++;
        }

        for (int count : lefts) {
            assertThat(count).isCloseTo(DRAWS / 5, within(DRAWS / 50));
        }
        for (int count : tops) {
            assertThat(count).isCloseTo(DRAWS / 3, within(DRAWS / 50));
        }
    }

    @Test
    void flippingHappensAtItsProbability() {
        ImageSpec spec = ImageSpec.exact(8, 8).randomFlip(0.25);
        SplittableRandom random = new SplittableRandom(11);
        int flipped = 0;
        for (int i = 0; i < DRAWS; i++) {
            flipped += spec.sample(10, 10, random).placement().flipped() ? 1 : 0;
        }

        assertThat(flipped).isCloseTo(DRAWS / 4, within(DRAWS / 50));
    }

    @Test
    void theSameRandomNumbersGiveTheSameImageAndTheReturnedTransformReplaysIt() {
        ImageSpec spec = ImageSpec.randomResizedCrop(32, 24)
                .randomFlip(0.5)
                .colorJitter(0.4, 0.4, 0.4, 0.1)
                .randomGrayscale(0.2);
        MemorySegment file = MemorySegment.ofArray(TestFiles.bytes("jpeg/420-121x87.jpg"));
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            for (long seed = 0; seed < 50; seed++) {
                byte[] first = new byte[(int) spec.rowBytes()];
                byte[] second = new byte[first.length];
                byte[] replayed = new byte[first.length];

                ImageTransform transform =
                        decoder.decodeInto(file, MemorySegment.ofArray(first), new SplittableRandom(seed));
                decoder.decodeInto(file, MemorySegment.ofArray(second), new SplittableRandom(seed));
                decoder.decodeInto(file, MemorySegment.ofArray(replayed), transform);

                assertThat(second).isEqualTo(first);
                assertThat(replayed).isEqualTo(first);
            }
        }
    }
}
