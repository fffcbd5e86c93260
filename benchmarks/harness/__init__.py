"""Runs commands in alternation and measures them from outside."""
