import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { project, startProgram } from "../support/process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

/** The commands under "First start", in their order, by the program that they run. */
async function documentedSteps(): Promise<readonly string[]> {
  const page = await readFile(join(project, "docs/deployment.md"), "utf8");
  const [, block = ""] = /## First start[^]*?```sh\n([^]*?)```/.exec(page) ?? [];
  return block.split("\n").flatMap((line) => line.replace(/ +#.*/, "") || []);
}

it("the deployment page's first start works in the sandbox, from an empty .env to a swap", async () => {
  expect(await documentedSteps()).toEqual([
    "cp .env.example .env",
    "npm ci --ignore-scripts",
    "npm run tokens -- add KLV KFI",
    "npm run doctor",
    "npm start",
  ]);
  const folder = await temporaryFolder();
  const begin = async (script: string, ...args: string[]) => {
    const program = startProgram([process.execPath, await bundled(script), ...args], { environment: {}, folder });
    onTestFinished(() => program.kill("SIGKILL"));
    return program;
  };
  const run = async (script: string, ...args: string[]) => {
    const program = await begin(script, ...args);
    return { code: await program.ended, output: program.output() };
  };
  await copyFile(join(project, ".env.example"), join(folder, ".env"));
  const unset = await run("src/commands/doctor.ts");
  expect([unset.code, unset.output]).toEqual([78, expect.stringContaining("docs/deployment.md")]);

  const sandbox = startProgram([process.execPath, "--import", "tsx", "sandbox/main.ts", "--no-bot", "--port", "0"], {
    environment: {},
    folder: project,
  });
  onTestFinished(() => sandbox.kill("SIGTERM"));
  await until(() => sandbox.output().includes("# CALL_INCLUDES_CALLER"));
  const lines = sandbox.output().split("\n\n")[1] ?? "";
  await writeFile(join(folder, ".env"), `${await readFile(join(folder, ".env"), "utf8")}\n${lines}`);

  const added = await run("src/commands/tokens.ts", "add", "KLV", "KFI");
  expect(added).toEqual({ code: 0, output: "KLV: added, fungible, precision 6\nKFI: added, fungible, precision 6\n" });
  const examined = await run("src/commands/doctor.ts");
  expect([examined.code, examined.output]).toEqual([0, expect.stringContaining("Operated by 1003")]);
  expect(examined.output).not.toMatch(/^fault/m);

  const bot = await begin("src/main.ts");
  await until(() => bot.output().includes("Bot started"));
  const [url = ""] = /http:\S+/.exec(sandbox.output()) ?? [];
  const chat = `${url}/_sim/telegram/chats/1001`;
  const said = async () =>
    (await (await fetch(chat)).json()) as { messageId: number; text: string; keyboard?: Key[][] }[];
  const post = (path: string, body: object) =>
    fetch(`${chat}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const asks = async (text: string, answer: string) => {
    await post("messages", { text });
    await until(async () => (await said()).at(-1)?.text.includes(answer) === true);
    return (await said()).at(-1)!;
  };
  await asks("/wallet klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy", "Check every character");
  const { messageId, keyboard = [] } = await asks("/swap 100 KLV KFI", "You pay: 100 KLV");
  const data = keyboard.flat().find(({ text }) => text.startsWith("✅ Confirm"))?.data;
  await post("press", { messageId, data });
  await until(async () => (await said()).at(-1)?.text.startsWith("✅ Swap completed") === true);
});

type Key = { readonly text: string; readonly data?: string };
