import v8 from "@vitest/coverage-v8";
import type { CoverageProviderModule } from "vitest/node";

/** What has a threshold. */
export const covered = ["src/encoding/**", "src/store/**", "src/services/intents/**"];

const folders = covered.map((glob) => `/${glob.replace("**", "")}`);

/** V8's coverage of that alone: all else would be merged after each of the test files, only to be left out of the report. */
export default {
  ...v8,
  takeCoverage: async (options) => {
    const taken = (await v8.takeCoverage?.(options)) as { result: { url: string }[] } | undefined;
    return { result: taken?.result.filter(({ url }) => folders.some((folder) => url.includes(folder))) };
  },
} satisfies CoverageProviderModule;
