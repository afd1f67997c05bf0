import { execFileSync } from "node:child_process";
import { crc32 } from "node:zlib";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { failuresLast } from "./test/support/failures-last.js";

/**
 * What tests leave to chance follows from the seed; `SEED=…` repeats a run. `npm test` draws by the commit, so that one
 * that was green stays so, and the next draws anew; `npm run test:full` draws at each run.
 */
function seedOfRun(): number {
  if (process.env["FULL"] !== undefined) return Date.now() % 1_000_000_007;
  try {
    return crc32(execFileSync("git", ["rev-parse", "HEAD^{tree}"], { stdio: "pipe" })) % 1_000_000_007;
  } catch {
    // Not a clone.
    return 0;
  }
}

// This is read once more for each project.
if (process.env["SEED"] === undefined) {
  process.env["SEED"] = String(seedOfRun());
  process.stdout.write(`SEED=${process.env["SEED"]}\n`);
}

/** The script that runs the tests, if one does. */
const run = process.env["npm_lifecycle_event"] ?? "";

/** What has a threshold. */
const covered = ["src/encoding/**", "src/store/**", "src/services/intent/**"];

/** The longest, and those that wait most, begin first, so that none of them runs alone at the end. */
const longest = [
  "kills",
  "standby",
  "http-options",
  "postgres",
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

const programs = "test/e2e/**/*.test.ts";
/** The sandbox's page in a browser: all but its first suite wait for `npm run test:full`, as no trade depends on them. */
const pages = "test/e2e/page-*.test.ts";
/** What `npm run test:full` runs by itself: they measure, wait for minutes, or fill the disk with packages. */
const alone = ["test/e2e/{failover,hour-away,slow-disk}.test.ts", "test/pack.test.ts"];
/** What is about one engine. */
const aboutPostgres = ["test/store/{migrate-postgres,postgres,seen-server}.test.ts", "test/e2e/standby.test.ts"];
const aboutSqlite = [
  "test/store/{copies-backup,database-migrations,plans,store,trial}.test.ts",
  // Its scheduler decides which promise resolves next.
  "test/services/intent/intent-service-model.test.ts",
  // Its idle loops look at the database thousands of times a day, each a round trip there.
  "test/services/alerts/{new-pairs,price-alerts}-year.test.ts",
  "test/services/standing/{exit-plan-month,standing-claims-model,standing-year,standing-year-held}.test.ts",
  "test/e2e/{commits,full-disk,one-owner,store-command}.test.ts",
];
/** What else runs on PostgreSQL: these always, everything that keeps something in `npm run test:full`. */
const isFull = process.env["FULL"] !== undefined;
const partsOnPostgres = isFull
  ? ["test/{bot,conversations,services,store}/**/*.test.ts"]
  : ["test/store/{tables,schema-price-watches}.test.ts"];
const programsOnPostgres = isFull ? [programs] : ["test/e2e/{kills,swap}.test.ts"];

const onSqlite = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: [...exclude, ...aboutPostgres] },
});
const onPostgres = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: [...include, ...aboutPostgres],
    exclude: [...exclude, ...aboutSqlite, pages, ...alone],
    env: { STORE: "postgres" },
    // Days on the virtual clock are thousands of round trips.
    ...(isFull && { testTimeout: 600_000 }),
    globalSetup: ["test/support/postgres.ts"],
  },
});

export default defineConfig({
  test: {
    projects: [
      onSqlite("parts", ["test/**/*.test.ts"], [programs, ...alone]),
      onPostgres("parts-postgres", partsOnPostgres, [programs]),
      onSqlite("programs", [programs], [pages, ...alone]),
      onPostgres("programs-postgres", programsOnPostgres, ["test/store/**"]),
      onSqlite("pages", [pages]),
      onSqlite("alone", alone),
    ],
    reporters: ["default", ...(run.startsWith("test:") ? [failuresLast(run)] : [])],
    globalSetup: ["test/support/bot-api-schema.ts", "test/support/old-bundles.ts"],
    // Generous, as a slow machine is no defect, and a walk of many steps may take a while on one; below it are the waits of
    // a minute, so that these are what is reported.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    pool: "forks",
    // Projects, and what runs beside them, share what one of them has compiled.
    experimental: { fsModuleCache: true },
    // Tests leave much garbage at once: with the usual 16 MB a tenth of the processor time goes into looking through what is young.
    execArgv: ["--max-semi-space-size=64"],
    // Files share what they import: loading it anew for each takes longer than most tests.
    isolate: false,
    // Most of the time programs wait for a process, a socket or a browser, so more of them than there are cores get on side by
    // side. Parts wait less, and each worker loads and warms up everything anew: package.json gives them fewer, by
    // VITEST_MAX_WORKERS, as `--maxWorkers` does not reach projects.
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
