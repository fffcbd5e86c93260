/// Tests of the model of plans; those of its text, and of all errors, are in the module `plan`.
package org.jspdl.plan;
