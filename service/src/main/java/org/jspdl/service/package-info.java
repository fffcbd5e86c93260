/// A data service: workers that decode, and loaders that ask them. Read [org.jspdl.service.ServedPlan] first.
package org.jspdl.service;
