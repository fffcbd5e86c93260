/// Changes of a plan's text that leave the rest of it as it is. Read [org.jspdl.plan.edit.PlanNumbers].
package org.jspdl.plan.edit;
