/// Functions that belong to the program that runs a plan, not to the plan.
package org.jspdl.plan.function;
