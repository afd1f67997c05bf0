import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import v8 from "@vitest/coverage-v8";
import type { CoverageProviderModule } from "vitest/node";

/** What has a threshold. */
export const covered = ["src/encoding/**", "src/store/**", "src/services/intents/**"];

const folders = covered.map((glob) => `/${glob.replace("**", "")}`);
const session = new Session();
let isMeasured = false;

/**
 * V8's coverage as Vitest takes it, at a lower cost: only of what has a threshold, since all else would be merged after each
 * test file only to be left out of the report, and without counting how often a line runs.
 */
export default {
  ...v8,
  startCoverage: async () => {
    if (isMeasured) return;
    isMeasured = true;
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  },
  takeCoverage: async (options) => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return {
      result: result
        .filter(({ url }) => url.startsWith("file:") && folders.some((folder) => url.includes(folder)))
        .map((script) => {
          const startOffset = options?.moduleExecutionInfo?.get(fileURLToPath(script.url))?.startOffset ?? 0;
          return { ...script, startOffset };
        }),
    };
  },
  // Test files share their process, and what it has measured.
  stopCoverage: () => undefined,
} satisfies CoverageProviderModule;
