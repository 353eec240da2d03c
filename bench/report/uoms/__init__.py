"""What is made of the files that uoms and its peers write: comparisons, guideline checks, combined launches,
reports."""

__version__ = "2.0"
