"""Simulation: what happens to people, and a second way to every exact figure."""
