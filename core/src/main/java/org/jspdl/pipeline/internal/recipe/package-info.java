/// The description of a pipeline as a tree of steps, and what can be told from it alone: names, fingerprint, text,
/// replays.
///
/// Not here: how steps are run (`stage` and above). Read [org.jspdl.pipeline.internal.recipe.Recipe] first.
package org.jspdl.pipeline.internal.recipe;
