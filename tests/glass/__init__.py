"""A floor in a glass: servers, patrons, staff and faults in one process, out of one seed."""
