/// Models that plans run, whatever library runs them.
package org.jspdl.plan.model;
