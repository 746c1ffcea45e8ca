"""The fourth floor, beside analysis: live tables, their money, their log, and their recovery."""
