import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import listed from "../../data/tokens.json" with { type: "json" };
import { startSandbox } from "../../sandbox/sandbox.js";
import { bundled } from "../support/bundled.js";
import { testDesk } from "../support/desk.js";
import { startHttpStub } from "../support/http-stub.js";
import { project, startProgram } from "../support/process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const klv = { id: "KLV", name: "KLV", precision: 6, kind: "fungible" };
const kfi = { id: "KFI", name: "KFI", precision: 6, kind: "fungible" };

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** klever-go's answer for each token: no zeros, and nothing at all for others. */
const assets: Readonly<Record<string, unknown>> = {
  KLV: { ID: "S0xW", Name: "S0xFVkVS", Ticker: "S0xW", Precision: 6, MaxSupply: 10_000_000_000_000_000 },
  KFI: { ID: "S0ZJ", Name: "S0xFVkVSIEZJTkFOQ0U=", Ticker: "S0ZJ", Precision: 6, Properties: { CanBurn: true } },
  "LKTOK-1A2B": { ID: base64("LKTOK-1A2B"), AssetType: 2, Precision: 8, Properties: {} },
  "ART-1A2B": { ID: base64("ART-1A2B"), AssetType: 1, Properties: {} },
  "WHOLE-1A2B": { ID: base64("WHOLE-1A2B") },
  "TEXT-1A2B": { ID: "TEXT-1A2B", AssetType: "Fungible", Precision: 6 },
  "BAD-0000": { ID: base64("OTHER-0000") },
};

let command: string;
beforeAll(async () => {
  command = await bundled("src/commands/tokens.ts");
});

async function arrange(list?: unknown) {
  const folder = await temporaryFolder();
  const file = join(folder, "tokens.json");
  if (list !== undefined) await writeFile(file, typeof list === "string" ? list : JSON.stringify(list));
  const node = await startHttpStub(({ path }) => {
    const id = path.replace(/.*\/asset\//, "");
    const body = { data: { asset: assets[id] ?? {} }, error: "", code: "successful" };
    if (id === "HTML-1A2B") return { status: 500, body: "<html>invalid ticker name</html>" };
    if (id === "OLDER-1A2B" || path.startsWith("/without/")) return { status: 404, body: "404 page not found" };
    const refusal = { data: null, error: "could not get requested asset: invalid ticker name", code: "internal_issue" };
    return id === "ODD-1A2B" ? { status: 500, body: refusal } : { body };
  });
  onTestFinished(() => node.close());
  const run = async (words: string, environment: Readonly<Record<string, string>> = {}) => {
    const all = { NODE_URL: node.url, TOKENS_FILE: file, ...environment };
    const program = startProgram([process.execPath, command, ...words.split(" ")], { environment: all, folder });
    return { code: await program.ended, output: program.output() };
  };
  return {
    run,
    file,
    without: { NODE_URL: `${node.url}/without` },
    read: async () => JSON.parse(await readFile(file, "utf8")) as unknown,
  };
}

describe("npm run tokens", () => {
  it("add creates a list, adds to it, corrects it, and keeps the operator's names", async () => {
    const { run, read, file } = await arrange();
    expect(await run("add KLV")).toEqual({ code: 0, output: "KLV: added, fungible, precision 6\n" });
    expect(await read()).toEqual([klv]);
    await writeFile(file, JSON.stringify([{ ...klv, name: "Klever", precision: 4 }]));
    const { code, output } = await run("add KLV KFI");
    expect(code).toBe(0);
    expect(output).toBe(
      "KLV: listed as fungible, precision 4; the node says fungible, precision 6\nKFI: added, fungible, precision 6\n",
    );
    expect(await read()).toEqual([{ ...klv, name: "Klever" }, kfi]);
    const own = `${await readFile(file, "utf8")}\n\n`;
    await writeFile(file, own);
    expect(await run("add KLV KFI")).toMatchObject({ code: 0, output: "KLV: unchanged\nKFI: unchanged\n" });
    expect(await readFile(file, "utf8")).toBe(own);
  });

  it.each([
    ["a token that the node doesn't know", "add KLV NOPE-1234", /^The node .*doesn't know the token “NOPE-1234”/],
    ["a 404 of a node that serves others", "add KLV OLDER-1A2B", /doesn't know the token “OLDER-1A2B”/],
    ["an id that the node refuses", "add KLV ODD-1A2B", /doesn't know the token “ODD-1A2B”/],
    ["a failure of the node", "add KLV HTML-1A2B", /^The node \(NODE_URL, http:.*\) answers with status 500/],
    ["an answer about another token", "add KLV BAD-0000", /no token BAD-0000 in the node's answer/],
    ["what is no token id", "add KLV ../../x", /isn't a token ID/],
  ])("add changes nothing for %s", async (_, words, why) => {
    const { run, read } = await arrange([kfi]);
    const { code, output } = await run(words);
    expect(code).toBe(1);
    expect(output).toMatch(why);
    expect(output).toMatch(/tokens\.json was left as it is\.\n$/);
    expect(output).not.toMatch(/Choose one from the list|operator/);
    expect(await read()).toEqual([kfi]);
  });

  it.each(["add KLV KFI", "add OLDER-1A2B"])("%s changes nothing where the node serves no tokens", async (words) => {
    const { run, read, without } = await arrange([kfi]);
    const { code, output } = await run(words, without);
    expect(code).toBe(1);
    expect(output).toMatch(/answers with status 404.*It was asked for GET \/asset\/\{id\}.*\n.*was left as it is/);
    expect(await read()).toEqual([kfi]);
  });

  it("add doesn't change a list that can't be read", async () => {
    const { run, file } = await arrange("[{");
    expect(await run("add KLV")).toMatchObject({ code: 1, output: expect.stringContaining("is not JSON") as string });
    expect(await readFile(file, "utf8")).toBe("[{");
  });

  it("check says where list and node differ", async () => {
    const { run, read, file } = await arrange([klv, { ...kfi, precision: 8 }, { ...klv, id: "GONE-0000" }]);
    const { code, output } = await run("check");
    expect(code).toBe(1);
    expect(output.split("\n")).toEqual([
      "KLV: as listed, fungible, precision 6",
      "KFI: listed as fungible, precision 8; the node says fungible, precision 6",
      expect.stringContaining("GONE-0000") as string,
      expect.stringMatching(/npm run tokens -- add ID.*npm run tokens -- remove ID/) as string,
      "",
    ]);
    expect(await read()).toHaveLength(3);
    await writeFile(file, JSON.stringify([klv]));
    expect(await run("check")).toMatchObject({ code: 0 });
  });

  it("remove takes tokens off the list without asking the node, all or none", async () => {
    const { run, read, without } = await arrange([klv, kfi, { ...klv, id: "GONE-0000" }]);
    expect(await run("remove KFI NOPE-1234 gone-0000", without)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/doesn't list NOPE-1234: it was left as it is\.\n$/) as string,
    });
    expect(await read()).toHaveLength(3);
    const output = "GONE-0000: removed\nKFI: removed\n";
    expect(await run("remove gone-0000 KFI", without)).toEqual({ code: 0, output });
    expect(await read()).toEqual([klv]);
  });

  it("print outputs only a list, and writes no file", async () => {
    const { run, file } = await arrange();
    const { code, output } = await run("print KLV LKTOK-1A2B");
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual([klv, { id: "LKTOK-1A2B", name: "LKTOK", precision: 8, kind: "semi-fungible" }]);
    await expect(readFile(file)).rejects.toThrow("ENOENT");
  });

  it("reads a token of any kind, precision 0, and an id in text", async () => {
    const { run, read } = await arrange();
    expect(await run("add ART-1A2B WHOLE-1A2B TEXT-1A2B")).toMatchObject({ code: 0 });
    expect(await read()).toEqual([
      { id: "ART-1A2B", name: "ART", precision: 0, kind: "semi-fungible" },
      { id: "WHOLE-1A2B", name: "WHOLE", precision: 0, kind: "fungible" },
      { id: "TEXT-1A2B", name: "TEXT", precision: 6, kind: "fungible" },
    ]);
  });

  it.each([
    ["documented", false],
    ["real", true],
  ])("adds and checks every token of the sandbox's %s node", async (_, wallet) => {
    const sandbox = await startSandbox({ wallet });
    onTestFinished(() => sandbox.close());
    const { run, read } = await arrange();
    const environment = { NODE_URL: sandbox.url };
    expect(await run("add KFI", environment)).toEqual({ code: 0, output: "KFI: added, fungible, precision 6\n" });
    expect(await read()).toEqual([kfi]);
    expect(await run(`add ${listed.map(({ id }) => id).join(" ")}`, environment)).toMatchObject({ code: 0 });
    expect((await read()) as object[]).toHaveLength(listed.length);
    expect(await run("check", { ...environment, TOKENS_FILE: join(project, "data/tokens.json") })).toMatchObject({
      code: 0,
    });
    const { code, output } = await run("add NOPE-1234", environment);
    expect([code, output]).toEqual([1, expect.stringContaining("NOPE-1234")]);
  });

  it("add prints the list if the file can't be replaced", async () => {
    const { run } = await arrange();
    const { code, output } = await run("add KLV", { TOKENS_FILE: "/proc/tokens.json" });
    expect(code).toBe(1);
    expect(output).toMatch(/\/proc\/tokens\.json can't be replaced \(E\w+\)/);
    expect(output).toContain(JSON.stringify(klv));
  });

  it.each([
    ["", 64, /Usage/],
    ["KLV KFI", 64, /Usage/],
    ["add", 64, /Usage/],
    ["check KLV", 64, /Usage/],
  ])("explains its usage for “%s”", async (words, code, why) => {
    const { run } = await arrange();
    expect(await run(words)).toMatchObject({ code, output: expect.stringMatching(why) as string });
  });

  it("names the variable that is missing", async () => {
    const { run } = await arrange();
    expect(await run("print KLV", { NODE_URL: "" })).toMatchObject({ code: 78 });
    const { code, output } = await run("add KLV", { TOKENS_FILE: "", NODE_URL: "http://node.example:1" });
    expect(code).toBe(78);
    expect(output).toContain("TOKENS_FILE is missing");
  });
});

describe("a running bot", () => {
  it("reloads a changed list, and keeps the old one if the new one is invalid", async () => {
    const file = join(await temporaryFolder(), "tokens.json");
    await writeFile(file, JSON.stringify([klv]));
    const desk = await testDesk({ TOKENS_FILE: file });
    const person = await desk.trader();
    await person.asks("/quote 1 KLV KFI", /don't know the token “KFI”/);
    await writeFile(file, JSON.stringify([klv, { ...kfi, precision: 31 }]));
    await until(() => desk.program().output().includes("entry 1"));
    await writeFile(file, JSON.stringify([klv, kfi]));
    await until(() => desk.program().output().includes("List reloaded"));
    await person.asks("/quote 1 KLV KFI", /Quote KLV → KFI/);
  });
});
