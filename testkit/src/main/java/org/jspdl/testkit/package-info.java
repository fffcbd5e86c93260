/// Conformance kits: subclass one in your tests, answer its question, and it checks the contract.
///
/// Read [SourceConformance] first.
package org.jspdl.testkit;
