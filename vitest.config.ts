import { defineConfig } from "vitest/config";

/** What tests leave to chance follows from it; `SEED=…` repeats a run. */
const SEED = process.env["SEED"] ?? String(Date.now() % 1_000_000_007);
process.stdout.write(`SEED=${SEED}\n`);

/** Tests of parts without processes, sockets or browsers of their own. */
const parts = [
  "cards",
  "conversations",
  "encoding",
  "locales",
  "model",
  "services",
  "bot/intents",
  "sandbox/chain",
].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    env: { SEED },
    setupFiles: ["test/support/seed-fast-check.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Most of the time tests wait for a process, a socket or a browser, so more of them than there are cores get on side by side.
    maxWorkers: 3,
    projects: [
      // They share what they import: loading it anew for each file takes longer than the tests.
      { extends: true, test: { name: "parts", include: parts, isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"], exclude: parts } },
    ],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "lcov"],
      thresholds: {
        "src/encoding/**": { lines: 95, branches: 95 },
        "src/store/**": { lines: 95, branches: 95 },
        "src/services/intents/**": { lines: 95, branches: 95 },
      },
    },
  },
});
