package org.jspdl.plan.text;

/// Something that is wrong at a place.
record Finding(Place place, String message) {}
