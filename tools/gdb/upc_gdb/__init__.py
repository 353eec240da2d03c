"""UPC in gdb, by subject; gdb.py loads it."""
