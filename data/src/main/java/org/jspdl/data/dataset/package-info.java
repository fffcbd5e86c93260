/// What there is to load: folders of classes, file lists, manifests, and whatever a user makes of two small interfaces.
///
/// Only names, labels and rows; contents are read by pipelines through `org.jspdl.data.storage`. Read
/// [org.jspdl.data.dataset.Dataset] first.
package org.jspdl.data.dataset;
