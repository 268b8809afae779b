"""The rules of the generic pack, one file each: what a trace can show that deserves a look without any policy."""
