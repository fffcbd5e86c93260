/// Loaders for the trainers of DJL, and tensors as its arrays, without a copy.
///
/// Read [LoaderDataset] first. Models, engines and training are DJL's matter.
package org.jspdl.djl;
