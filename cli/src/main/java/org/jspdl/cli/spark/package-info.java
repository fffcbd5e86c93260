/// Starting the Spark that the user has.
///
/// Read [SparkSubmit] first.
package org.jspdl.cli.spark;
