"""The statistical evidence of the generators: of live chance, and of the simulation's streams.

Tests of this kind never prove that a generator is random. They show that a
large sample has none of the faults that they look for, and how large a fault
would have been noticed.
"""
