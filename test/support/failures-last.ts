import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const folder = join(import.meta.dirname, "../../.generated/failures");

/**
 * Keeps what failed for the end of `npm test`: two runs write side by side there, and the first to end is soon far
 * above. @param run tells the runs apart.
 */
export function failuresLast(run: string): Reporter {
  const file = join(folder, `${run.replaceAll(/\W/g, "")}.txt`);
  return {
    onInit: () => rmSync(file, { force: true }),
    onTestRunEnd: (modules, errors) => {
      const failed = [
        ...modules.flatMap(failedIn),
        ...errors.map(({ message }) => `outside of any test\n    ${message}`),
      ];
      if (failed.length === 0) return;
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, failed.map((each) => `  × ${each}\n`).join(""));
    },
  };
}

function failedIn(module: TestModule): string[] {
  const said = (errors: readonly { readonly message: string }[]) =>
    errors.map(({ message }) => `\n    ${message.slice(0, 1000)}`).join("");
  const tests = [...module.children.allTests("failed")].map(
    (test) => `${module.relativeModuleId} > ${test.fullName}${said(test.result().errors ?? [])}`,
  );
  return module.errors().length > 0 ? [`${module.relativeModuleId}${said(module.errors())}`, ...tests] : tests;
}
