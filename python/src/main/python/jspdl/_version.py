"""The version of the package; the build of the wheel replaces it by the project's."""
__version__ = "0.2.0"
