"""Compiled inner loops, imported by the room around them where they are needed."""
