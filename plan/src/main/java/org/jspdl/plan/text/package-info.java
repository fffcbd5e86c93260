/// Plans as YAML and JSON: reading with errors that point at the line, and printing. What a plan means is the matter of
/// `org.jspdl.plan`. Read [PlanText] first.
package org.jspdl.plan.text;
