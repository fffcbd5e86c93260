"""One module for each scenario: its commands, and how each says what it did."""
