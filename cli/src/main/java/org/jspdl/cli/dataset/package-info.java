/// Where the labelled image files of a run are: a folder of classes, or a list.
///
/// Only names and labels; no file is opened except a list. Read [Dataset] first.
package org.jspdl.cli.dataset;
