import { relative } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

/** What is walked over, from the root of the tree that is measured. */
const root = process.cwd();

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** Every function in a syntax tree, outer ones first. */
function functionsIn(node: Node): Node[] {
  const own = /Function/.test(node.type) ? [node] : [];
  const children = Object.values(node).flatMap((value: unknown): unknown[] => (Array.isArray(value) ? value : [value]));
  return [...own, ...children.filter(isNode).flatMap(functionsIn)];
}

/** Has each function of `src` say its file when it is called. */
const saysItsFile: Plugin = {
  name: "says its file",
  enforce: "post",
  transform(code, id) {
    const file = relative(root, id.split("?")[0] ?? "");
    if (!/^src\/.*\.ts$/.test(file)) return undefined;
    const said = `globalThis.walkedOver?.(${JSON.stringify(file)})`;
    const edits = functionsIn(this.parse(code) as unknown as Node).flatMap(({ body }) => {
      if (body === undefined) return [];
      return body.type === "BlockStatement"
        ? [{ at: body.start + 1, text: `${said};` }]
        : [
            { at: body.start, text: `(${said}, ` },
            { at: body.end, text: ")" },
          ];
    });
    const last = edits.toSorted((one, other) => other.at - one.at);
    return { code: last.reduce((now, { at, text }) => now.slice(0, at) + text + now.slice(at), code), map: null };
  },
};

export default defineConfig({
  plugins: [saysItsFile],
  test: {
    include: ["bench/walks.test.ts"],
    globalSetup: ["test/support/bot-api-schema.ts"],
    testTimeout: 300_000,
    reporters: ["default"],
    maxWorkers: 1,
  },
});
