import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";

/** A real second process, killed at the end of the test at the latest. */
export interface Child {
  readonly pid: number;
  /** The lines that it has printed. */
  readonly lines: () => readonly string[];
  /** Resolves with its first line that satisfies `wanted`; rejects with its stderr if it ends before. */
  readonly line: (wanted?: (line: string) => boolean) => Promise<string>;
  /** Sends SIGKILL; resolves once it has ended and all its output has arrived. */
  readonly kill: () => Promise<void>;
}

/** Starts `test/store/children/<name>.ts` with arguments. */
export async function startChild(name: string, ...args: string[]): Promise<Child> {
  const script = await bundled(`test/store/children/${name}.ts`);
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [script, ...args]);
  const closed = once(child, "close");
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  const lines = () => output.split("\n").slice(0, -1);
  const kill = async () => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(kill);
  return {
    pid: child.pid!,
    lines,
    line: async (wanted = () => true) => {
      for (;;) {
        const found = lines().find(wanted);
        if (found !== undefined) return found;
        const ended = await Promise.race([once(child.stdout, "data").then(() => false), closed.then(() => true)]);
        if (ended && !lines().some(wanted)) throw new Error(`the child ended: ${complaints}`);
      }
    },
    kill,
  };
}
