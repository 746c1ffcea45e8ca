"""`python -m croupier.regulation tests` writes down which tests prove which paragraph."""

import sys
from pathlib import Path

from croupier.regulation import write_proofs

write_proofs(Path(sys.argv[1]))
