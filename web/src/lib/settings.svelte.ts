/** What a visitor likes, kept in his browser. */

const STORED = "croupier.";

export function stored<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(STORED + key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function store(key: string, value: unknown): void {
  if (value === null) localStorage.removeItem(STORED + key);
  else localStorage.setItem(STORED + key, JSON.stringify(value));
}

/** Forget everything whose name begins so. */
export function forget(prefix: string): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(STORED + prefix)) localStorage.removeItem(key);
}

const DEFAULTS = {
  theme: "system" as "system" | "light" | "dark",
  deck: "four" as "two" | "four", // colors
  speed: "normal" as "normal" | "fast" | "off", // of what moves
  keys: true, // single letters play
  hints: false, // practice: what each move is worth
  sounds: false,
  pause: 60, // minutes after which a break is recommended; 0: never
};

export type Settings = typeof DEFAULTS;

export const settings: Settings = $state({ ...DEFAULTS, ...stored<Partial<Settings>>("settings") });

export function keep(): void {
  store("settings", settings);
  dress();
}

const night = matchMedia("(prefers-color-scheme: dark)");
night.addEventListener("change", dress);

/** Put the looks on the page. */
export function dress(): void {
  const { dataset } = document.documentElement;
  const asDevice = night.matches ? "dark" : "light";
  dataset.theme = settings.theme === "system" ? asDevice : settings.theme;
  dataset.deck = settings.deck;
  dataset.speed = settings.speed;
}
