import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { backUp } from "../../src/store/copies.js";
import { freePort } from "../support/listen.js";
import { defaultWorld, sandboxDesk, type SandboxDesk, type SandboxPerson } from "../support/sandbox-desk.js";
import { everyRow, everythingStored } from "../support/stored.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

const run = promisify(execFile);
const page = readFileSync("docs/proposals.md", "utf8");

async function serving() {
  const port = String(await freePort());
  return { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, METRICS_TOKEN: "planted_metrics_token_of_the_tests" };
}

/** Makes a link by the buttons, and reads it from the only message that shows it. */
async function makesLink(person: SandboxPerson, name: string) {
  const list = await person.asks("/signals", /📨 Links (?:for programs|para programas)/);
  await person.taps(list, "➕");
  await person.reads(/What is the program called|Como se chama o programa/);
  const shown = await person.asks(name, /📨 Link (?:for|de)/);
  const [link = ""] = /http\S+\/propose\/[\w-]{43}/.exec(shown.text) ?? [];
  return { link, shown };
}

/** Confirms a card that doesn't act in its first moment. */
const confirms = (person: SandboxPerson, card: Parameters<SandboxPerson["taps"]>[0]) =>
  until(async () => !/tap again|toque de novo/.test(await person.taps(card, "✅")));

const post = (link: string, body: string, headers: Record<string, string> = {}) =>
  fetch(link, { method: "POST", body, headers }).then(async (answer) => ({
    status: answer.status,
    ...((await answer.json()) as { id?: string }),
  }));
const stateOf = async (link: string, id = "") =>
  ((await (await fetch(`${link}/${id}`)).json()) as { state: string }).state;

/** The blocks of a language on the page, with a link in the place of the example's. */
const blocksOf = (language: string, link: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].map(([, text = ""]) =>
    text
      .replaceAll("https://bot.example/propose/LINK", link)
      .replaceAll("https://bot.example", new URL(link).origin)
      .replaceAll("LINK", link.split("/").at(-1)!),
  );

it("what curl and a tool propose, as the page says, is a card that its owner alone confirms", async () => {
  const desk = await sandboxDesk({ world: defaultWorld }, await serving());
  const alice = await desk.trader();
  const { link } = await makesLink(alice, "TradingView");
  const [curls = ""] = blocksOf("sh", link);
  const lines = curls.trim().split("\n");
  expect(lines).toHaveLength(3);
  const { stdout } = await run("sh", ["-c", lines[0]!]);
  const { id } = JSON.parse(stdout) as { id: string };
  const card = await alice.reads(
    /^📨 Proposed by TradingView\. Nothing happens unless you confirm\.\nSwap KLV → KFI\nYou pay: 100 KLV/,
  );
  expect(await stateOf(link, id)).toBe("waiting");
  // A tap that was meant for something else.
  expect(await alice.taps(card, "✅ Confirm")).toMatch(/Read it, then tap again/);
  await confirms(alice, card);
  await until(async () => (await stateOf(link, id)) === "done");
  expect(desk.callsSent()).toHaveLength(1);
  await run("sh", ["-c", lines[1]!]);
  await alice.reads(/^📨 Proposed by TradingView\. .*\nSwap KFI → KLV/);
  // The third is of a fixed time, long ago.
  expect(JSON.parse((await run("sh", ["-c", lines[2]!])).stdout)).toEqual({ error: "stale" });

  const [tool = ""] = blocksOf("js", link);
  const file = join(desk.place.folder, "tool.mjs");
  await writeFile(file, tool);
  const { stdout: told } = await run(process.execPath, [file, "buy 3 KFI", "agent 1"], { env: { PROPOSE: link } });
  expect(JSON.parse(told)).toMatchObject({ state: expect.stringMatching(/^(?:preparing|waiting)$/) as string });
  await alice.reads(/^📨 Proposed by TradingView\..*\nBuy KFI: exactly 3 KFI, paid in KLV/);
});

it("TradingView's and n8n's requests are taken; pausing from a card and deleting work at once", async () => {
  const desk = await sandboxDesk({}, await serving());
  const alice = await desk.trader();
  const { link } = await makesLink(alice, "TradingView");
  const [, message = ""] = /`(\{"trade":"\{\{strategy[^`]*)`/.exec(page) ?? [];
  const values = { "strategy.order.action": "buy", "strategy.order.id": "Long", time: "2026-11-29T09:00:00Z" };
  const filled = Object.entries({ ...values, timenow: new Date(desk.sandbox.time.clock.now()).toISOString() }).reduce(
    (text, [name, value]) => text.replace(`{{${name}}}`, value),
    message,
  );
  expect(await post(link, filled, { "content-type": "application/json; charset=utf-8" })).toMatchObject({
    status: 202,
  });
  expect(await post(link, filled, { "content-type": "application/json; charset=utf-8" })).toMatchObject({
    status: 200,
  });
  const card = await alice.reads(/^📨 Proposed by TradingView/);
  const bearer = { authorization: `Bearer ${link.split("/").at(-1)}`, "content-type": "application/json" };
  const n8n = JSON.stringify({ trade: "sell 1 KFI", id: "execution 7" });
  expect(await post(new URL("/propose", link).href, n8n, bearer)).toMatchObject({ status: 202 });
  expect(await alice.taps(card, "⏸ Pause TradingView")).toMatch(/TradingView is paused/);
  expect(await post(link, "swap 2 KLV KFI")).toMatchObject({ status: 409 });
  const list = await alice.asks("/signals", /TradingView\npaused · last one .* · 2 today/);
  await alice.taps(list, "🗑 Delete");
  await alice.taps(await alice.sees(list, /Delete the link for TradingView/), "🗑 Yes");
  await alice.sees(list, /You have no links yet/);
  expect(await post(link, "swap 2 KLV KFI")).toMatchObject({ status: 404 });
});

async function secretsOf(desk: SandboxDesk, port: string, log: readonly string[]) {
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: "Bearer planted_metrics_token_of_the_tests" },
  });
  const { folder, environment } = desk.place;
  // PostgreSQL is backed up by its own tools.
  if (environment.DATABASE_URL === undefined) await backUp(join(folder, "store"), join(folder, "copy.sqlite"));
  return [log.join(""), await metrics.text(), await everythingStored(desk.place)].join("\n");
}

it("no secret of a link is stored, logged or shown twice, and no word of a proposal, whatever is wrong with it", async () => {
  const log: string[] = [];
  const logTo = new Writable({
    write: (line, _encoding, done) => {
      log.push(String(line));
      done();
    },
  });
  const environment = await serving();
  const desk = await sandboxDesk({}, environment, logTo);
  const alice = await desk.trader();
  const { link } = await makesLink(alice, "script");
  const secret = link.split("/").at(-1)!;
  const planted = ["PLANTED", "planted.example", "swap 1 KLV PLANTED", "swap 1 KLV KFI planted"];
  for (const words of planted) expect(await post(link, words)).toMatchObject({ status: 422 });
  desk.sandbox.faults.set("quotation", "5xx");
  await until(
    async () => (await post(link, JSON.stringify({ trade: "swap 7 KLV KFI", id: "planted id" }))).status === 202,
  );
  await until(() =>
    desk.sandbox.wireLog.entries().some(({ service, status }) => service === "quotation" && status >= 500),
  );
  desk.sandbox.faults.set("quotation", undefined);
  const chat = () => desk.sandbox.telegram.chat(alice.id).filter(({ from }) => from === "bot");
  expect(chat().filter(({ text }) => text.includes(secret))).toHaveLength(1);
  expect(chat().filter(({ text }) => /planted/i.test(text))).toEqual([]);
  // What its owner pastes back is deleted before it is stored.
  for (const pasted of [secret, link]) {
    const { messageId } = desk.sandbox.telegram.sendText(alice.id, pasted);
    await until(() => !desk.sandbox.telegram.chat(alice.id).some((message) => message.messageId === messageId));
  }
  const written = await secretsOf(desk, environment.PORT, log);
  expect(written).toContain("swapdesk_proposals_total");
  expect(written).not.toContain(secret);
  expect(/planted(?!_metrics)/i.test(written)).toBe(false);
});

it("with a wallet, in Portuguese, a proposal is signed as any trade, and forgotten with everything", async () => {
  const people = [{ id: 1001, firstName: "Alice", languageCode: "pt" }];
  const { alice, desk, pageOf, sign } = await walletChat({}, { people });
  const { link } = await makesLink(alice, "robô");
  const { id } = await post(link, "vender 1 KFI");
  const card = await alice.reads(/^📨 Proposta de robô\. Nada acontece sem a sua confirmação\.\nTroca KFI → KLV/);
  await confirms(alice, card);
  await until(async () => (await stateOf(link, id)) === "signing");
  expect(await sign(pageOf(await alice.sees(card, /assinatura/)))).toBe(200);
  await until(async () => (await stateOf(link, id)) === "done");
  const ask = await alice.asks("/forget", /seus links para programas/);
  await alice.taps(ask, "🗑");
  await alice.taps(await alice.sees(ask, /Apagar tudo o que guardo/), "🗑");
  await until(async () => (await post(link, "vender 1 KFI")).status === 404);
  expect(await everyRow(desk.place)).not.toMatch(/robô|proposal/);
});
