"""Tests of the harness: python3 -m unittest discover -t benchmarks -s benchmarks/tests"""
