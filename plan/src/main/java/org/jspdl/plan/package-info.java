/// Pipelines as data: plans in YAML or JSON, the operations that they name, and how both become a pipeline. Read
/// [Plan] first.
package org.jspdl.plan;
