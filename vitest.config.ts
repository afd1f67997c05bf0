import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What tests leave to chance follows from it; `SEED=…` repeats a run. */
const SEED = process.env["SEED"] ?? String(Date.now() % 1_000_000_007);
process.stdout.write(`SEED=${SEED}\n`);

/** What has a threshold. */
const covered = ["src/encoding/**", "src/store/**", "src/services/intent/**"];

/** The longest, and those that wait most, begin first, so that none of them runs alone at the end. */
const longest = [
  "kills",
  "monkey",
  "wallet-page",
  "alerts-trouble",
  "page-layout",
  "walks",
  "telegram-client",
  "webhook",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      (longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`)) + longest.length + 1) % (longest.length + 1);
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    env: { SEED },
    globalSetup: ["test/support/bot-api-schema.ts", "test/support/old-bundles.ts"],
    // Generous, as a slow machine is no defect; below it are the waits of a minute, so that these are what is reported.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // Files share what they import: loading it anew for each takes longer than most tests.
    isolate: false,
    // Most of the time tests wait for a process, a socket or a browser, so more of them than there are cores get on side by side.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: "v8",
      include: covered,
      reporter: ["text-summary", "lcov"],
      thresholds: Object.fromEntries(covered.map((folder) => [folder, { lines: 95, branches: 95 }])),
    },
  },
});
