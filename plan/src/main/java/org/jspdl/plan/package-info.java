/// Pipelines as data: what a plan says, the operations it may name, and how both are checked and become a pipeline.
///
/// Text formats live in the module `plan`, operations with whatever they operate on. Read [Plan] first.
package org.jspdl.plan;
