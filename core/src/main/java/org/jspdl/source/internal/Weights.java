package org.jspdl.source.internal;

/// Checks of weights given as an array.
public final class Weights {
    private Weights() {}

    /// The sum of weights that are finite, not negative and not all 0.
    public static double sum(double[] weights) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            if (!(weights[i] >= 0) || weights[i] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(
                        "weights must be finite and not negative but weight " + i + " was " + weights[i]);
            }
            sum += weights[i];
        }
        if (!(sum > 0) || sum == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(
                    "the sum of the weights must be positive and finite but was " + sum + " for " + weights.length);
        }
        return sum;
    }

    /// Which of the weights is the largest; the first of several.
    public static int indexOfLargest(double[] weights) {
        int largest = 0;
        for (int i = 1; i < weights.length; i++) {
            largest = weights[i] > weights[largest] ? i : largest;
        }
        return largest;
    }
}
