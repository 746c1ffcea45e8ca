/** The felts that are drawn by hand. Every other game is drawn from its wagers alone. */

import type { Component } from "svelte";
import Areas from "./Areas.svelte";

type Load = () => Promise<{ default: Component }>;

const FELTS: Record<string, Load> = {
  roulette: () => import("./Roulette.svelte"),
  "big-six": () => import("./BigSix.svelte"),
  pokette: () => import("./Pokette.svelte"),
  keno: () => import("./Keno.svelte"),
  "caribbean-stud-poker": () => import("./Poker.svelte"),
  "double-down-stud": () => import("./Poker.svelte"),
  "four-card-poker": () => import("./Poker.svelte"),
  "let-it-ride-poker": () => import("./Poker.svelte"),
  "premium-hold-em": () => import("./Poker.svelte"),
  "texas-hold-em-bonus-poker": () => import("./Poker.svelte"),
  "three-card-poker": () => import("./Poker.svelte"),
  "ultimate-texas-hold-em": () => import("./Poker.svelte"),
  "baccarat-chemin-de-fer": () => import("./Baccarat.svelte"),
  "baccarat-punto-banco": () => import("./Baccarat.svelte"),
  minibaccarat: () => import("./Baccarat.svelte"),
  "casino-war": () => import("./War.svelte"),
  "red-dog": () => import("./RedDog.svelte"),
  craps: () => import("./Craps.svelte"),
  "mini-craps": () => import("./Craps.svelte"),
  "sic-bo": () => import("./SicBo.svelte"),
  "mini-dice": () => import("./MiniDice.svelte"),
};

export const feltOf = async (game: string): Promise<Component> =>
  (await FELTS[game]?.())?.default ?? Areas;
