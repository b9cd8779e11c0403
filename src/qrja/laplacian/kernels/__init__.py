"""Compiled inner loops of the room around this folder."""
