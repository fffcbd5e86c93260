/// A model of a run that answers what would happen if something about it were different.
///
/// Here: the model, made from measurements, and the simulation that runs it. Not here: which differences are worth
/// asking about (the diagnosis, and the tuner of `auto` stages). Read [PipelineModel] first.
package org.jspdl.stats.model;
