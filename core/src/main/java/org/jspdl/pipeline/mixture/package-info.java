/// Mixtures whose weights change while they run: by a call, by a file, or by the losses of what was mixed.
///
/// Not here: weights that follow a schedule, which belong to the recipe ([org.jspdl.pipeline.Mix]). Read [LiveMixture]
/// first.
package org.jspdl.pipeline.mixture;
