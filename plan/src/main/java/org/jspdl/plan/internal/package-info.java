/// The text of a plan in YAML or JSON: its keywords, its values with their locations, and messages that point at them.
/// Read [DocumentReader] first.
package org.jspdl.plan.internal;
