/// The tuner of `auto` stages: what it reads, what it decides, and the loop that does it.
///
/// [Tuner] decides from what it is shown and knows neither clocks nor threads, so that tests can drive it with
/// simulated pipelines. [ResourceReader] reads processors and memory, [TuningLoop] looks at a run and changes it. Not
/// here: the model that predicts (`org.jspdl.stats.model`). Read [Tuner] first.
package org.jspdl.pipeline.internal.tune;
