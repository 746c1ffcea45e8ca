/** The chips of the house, in cents, with the colors that are customary. */

export const CHIPS = [
  { cents: 100, color: "#5a6470" },
  { cents: 500, color: "#b3202c" },
  { cents: 2500, color: "#13794a" },
  { cents: 10_000, color: "#20242a" },
  { cents: 50_000, color: "#6b3fa0" },
  { cents: 100_000, color: "#9a5b00" },
] as const;
