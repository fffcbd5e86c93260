/// The sample dataset: photographs that are computed, not downloaded.
///
/// Here: what a picture contains, how it is painted and encoded, and where the finished set lives. Not here: reading
/// datasets. Read [SampleSet] first.
package org.jspdl.data.sample;
