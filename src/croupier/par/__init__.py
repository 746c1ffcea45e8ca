"""PAR sheets: the mathematics of a table as a lab, a regulator and a casino read it."""
