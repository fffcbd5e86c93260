package org.jspdl.pipeline.mixture;

import java.util.Arrays;
import org.jspdl.internal.Arguments;

/// Weights that follow the losses of what is mixed: more of what is learned worst. Immutable; a function of its
/// arguments, so ranks that give it the same losses get the same weights.
///
/// Each weight is multiplied by e^(rate x (loss - mean loss)), where the mean is over the weights. Then all are scaled
/// to a sum of 1, of which each keeps `least`.
///
/// @param rate  how quickly weights follow; 0 leaves them
/// @param least what each weight keeps, at least
public record LossFeedback(double rate, double least) {
    /// @throws IllegalArgumentException if `rate` is negative or not finite, or `least` is not within 0 and 1
    public LossFeedback {
        if (!(rate >= 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException("rate must be finite and not negative but was " + rate);
        }
        if (!(least >= 0 && least <= 1)) {
            throw new IllegalArgumentException("least must be from 0 to 1 but was " + least);
        }
    }

    /// The weights after losses were seen.
    ///
    /// @param weights those until now, not negative, one of them above 0
    /// @param losses  one for each; what has no loss yet has that of the mean, [Double#NaN]
    /// @throws IllegalArgumentException if they are not equally many, or `least` is too large for so many
    public double[] next(double[] weights, double[] losses) {
        int count = weights.length;
        Arguments.atLeastOne("the number of weights", count);
        if (losses.length != count) {
            throw new IllegalArgumentException("there are " + losses.length + " losses for " + count + " weights");
        }
        if (least * count > 1) {
            throw new IllegalArgumentException(
                    "each of " + count + " weights can't keep " + least + " of 1: give at most " + 1.0 / count);
        }
        double sum = 0;
        double known = 0;
        double mean = 0;
        for (int i = 0; i < count; i++) {
            if (!(weights[i] >= 0) || Double.isInfinite(weights[i]) || Double.isInfinite(losses[i])) {
                throw new IllegalArgumentException("weights must be finite and not negative and losses finite but were "
                        + Arrays.toString(weights) + " and " + Arrays.toString(losses));
            }
            sum += weights[i];
            if (!Double.isNaN(losses[i])) {
                known += weights[i];
                mean += weights[i] * losses[i];
            }
        }
        if (!(sum > 0) || Double.isInfinite(sum)) {
            throw new IllegalArgumentException("the sum of the weights must be positive and finite but was " + sum);
        }
        mean = known > 0 ? mean / known : 0;
        // The largest exponent is taken off, which scaling does not notice, so that no power is infinite.
        double largest = Double.NEGATIVE_INFINITY;
        double[] exponents = new double[count];
        for (int i = 0; i < count; i++) {
            exponents[i] = known > 0 && !Double.isNaN(losses[i]) ? rate * (losses[i] - mean) : 0;
            largest = weights[i] > 0 ? Math.max(largest, exponents[i]) : largest;
        }
        double[] next = new double[count];
        double total = 0;
        for (int i = 0; i < count; i++) {
            next[i] = weights[i] == 0 ? 0 : weights[i] / sum * Math.exp(exponents[i] - largest);
            total += next[i];
        }
        for (int i = 0; i < count; i++) {
            next[i] = least + (1 - least * count) * next[i] / total;
        }
        return next;
    }
}
