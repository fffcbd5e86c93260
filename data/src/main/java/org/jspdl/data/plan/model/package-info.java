/// Models that make fields of a sample's fields.
package org.jspdl.data.plan.model;
