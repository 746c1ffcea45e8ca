import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";

/** Lays a compressed copy beside each file, so that the server never compresses. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const path of Object.keys(bundle).map((name) => join(dir, name)))
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    },
  };
}

const floor = process.env.FLOOR ?? "http://127.0.0.1:8047"; // where `vite dev` finds the house

export default defineConfig(({ mode }) => ({
  base: "./",
  cacheDir: process.env.VITE_CACHE ?? "node_modules/.vite",
  plugins: [svelte(), compressed()],
  build: {
    outDir: "../src/croupier/server/page",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/par"].map((path) => [
        path,
        { target: floor, changeOrigin: true, headers: { origin: floor } },
      ]),
    ),
  },
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
}));
