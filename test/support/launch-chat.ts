import { expect, onTestFinished } from "vitest";
import { startHttpStub, type Answer, type Received } from "./http-stub.js";
import { people, type SandboxDesk, type SandboxPerson } from "./sandbox-desk.js";
import { accepted } from "./as-read.js";

export type Message = Awaited<ReturnType<SandboxPerson["reads"]>>;

/** Alice deposits 1000 DVK and 20 USDT: the product's root is 141421356 LP units, of which 1000 stay in the pair. */
export const deposit = { first: 1_000_000_000n, second: 20_000_000n };
export const lpUnits = 141_420_356n;
/** The lock must exceed 30 epochs; the world begins in epoch 5397. */
export const goodEpoch = 5397 + 30 + 1 + 4;

/** The bodies of all calls that were sent; views are left out. */
export function callsOf(desk: SandboxDesk): readonly Readonly<Record<string, unknown>>[] {
  return desk.sandbox.wireLog
    .entries()
    .filter(({ path }) => path === "/vm/query")
    .map(({ requestBody }) => JSON.parse(requestBody) as Readonly<Record<string, unknown>>)
    .filter(({ funcName }) => !String(funcName).startsWith("get"));
}

/** Returns the differences by asset, without those that are zero. */
export function changes(before: Readonly<Record<string, bigint>>, after: Readonly<Record<string, bigint>>) {
  const assets = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    assets
      .map((asset) => [asset, (after[asset] ?? 0n) - (before[asset] ?? 0n)] as const)
      .filter(([, units]) => units !== 0n),
  );
}

/** Taps a step's button on the checklist, confirms its card, and opens the checklist again from there. */
export async function doStep(person: SandboxPerson, checklist: Message, step: string): Promise<Message> {
  await person.taps(checklist, `▶️ ${step}`);
  return confirmed(person, await person.reads(new RegExp(`^${step} ·`)));
}

export async function confirmed(person: SandboxPerson, card: Message): Promise<Message> {
  await person.taps(card, "✅ Confirm");
  // Accepted by the node, or shown on the chain already.
  const done = await person.sees(card, /^(?:☑️|✅)/);
  await person.taps(done, "📋 Checklist");
  return person.reads(/^Launch /);
}

/** Makes the call that a checklist asks for, as a wallet would, with exactly the values on the card. */
export async function fromWallet(desk: SandboxDesk, checklist: Message): Promise<void> {
  const valueOf = (label: string) => new RegExp(`^${label}: *(.*)$`, "m").exec(checklist.text)![1]!;
  const [args, value] = [valueOf("Arguments"), valueOf("Payment")];
  const body = {
    scAddress: valueOf("Contract"),
    funcName: valueOf("Function"),
    args: args === "none" ? [] : args.split(" "),
    ...(value !== "none" && { value }),
    caller: desk.address("Alice"),
  };
  const response = await fetch(`${desk.sandbox.url}/vm/query`, { method: "POST", body: JSON.stringify(body) });
  expect(await response.json()).toMatchObject({ data: { returnCode: "ok" } });
}

/** Restarts the bot behind a proxy to its node; `handle` sees each request before it is passed on. */
export async function through(
  desk: SandboxDesk,
  handle: (call: { readonly funcName?: string }, pass: () => Promise<Answer>) => Promise<Answer>,
): Promise<void> {
  const passOn = async ({ method, path, text }: Received): Promise<Answer> => {
    const response = await fetch(desk.sandbox.url + path, { method, ...(method === "POST" && { body: text }) });
    const answer = await response.text();
    // The node answers unknown paths with a sentence, not JSON.
    return { status: response.status, body: response.ok ? (JSON.parse(answer) as unknown) : answer };
  };
  const proxy = await startHttpStub((request) => handle({ ...request.json }, () => passOn(request)));
  onTestFinished(proxy.close);
  await desk.restart({ NODE_URL: proxy.url });
}

/** A node's answer if the contract has no such function. */
export const noView = {
  data: { returnData: [], returnCode: "VMFunctionNotFound", returnMessage: "invalid function (not found)" },
  error: "",
  code: "successful",
};

export function buttonsOf(message: Message): readonly string[] {
  return message.keyboard?.flat().map(({ text }) => text) ?? [];
}

/** Enters both amounts of the first deposit. */
export async function enterAmounts(person: SandboxPerson, checklist: Message, label: string): Promise<void> {
  await person.taps(checklist, label);
  await person.reads(/How much DVK-34ZH/);
  person.says("1000");
  await person.reads(/How much USDT-2AB1/);
  person.says("20");
}

/** Returns the card of the first deposit, after the extra confirmation that amounts so far from the market need. */
export async function depositCardOf(person: SandboxPerson): Promise<Message> {
  const card = await person.reads(/^Add the first liquidity[^]*far from the market/);
  await person.taps(card, "⚠️ Keep these amounts");
  return person.sees(card, /You pay: 1,000 DVK-34ZH/);
}

/** Opens the card that locks all LP tokens until the epoch that the dialog offers. */
export async function lockAll(person: SandboxPerson, checklist: Message): Promise<Message> {
  await person.taps(checklist, "▶️ Lock");
  await person.reads(/How much LPDVKUSDT-/);
  person.says(String(lpUnits));
  const until = await person.reads(/Lock until when/);
  await person.taps(until, String(goodEpoch));
  return person.reads(/^Lock /);
}

/** Bob makes the first swap in the new pair: the pair takes 1 % of the input, and the referral 1 % of the output. */
export async function firstSwap(desk: SandboxDesk, hasViews = true): Promise<void> {
  const bob = desk.person(people.bob);
  await bob.asks(`/wallet ${desk.address("Bob")}`);
  const [before, operatorBefore] = [bob.holds(), desk.balancesOf("Operator")];
  // DVK costs thirty times its market price here: the other pools would pay far more.
  const card = await bob.asks("/swap 1 USDT-2AB1 DVK-34ZH");
  if (hasViews) {
    expect(card.text).toMatch(/⛔ You would lose about/);
    await bob.taps(card, "⚠️ Lose");
  } else expect(card.text).toMatch(/⚠️ I can't check this price right now/);
  await bob.taps(await bob.sees(card, /You pay: 1 USDT-2AB1/), "✅ Confirm");
  await bob.sees(card, accepted);
  const paid = 1_000_000n * 99_000n;
  const total = (paid * deposit.first) / (deposit.second * 100_000n + paid);
  const fee = total / 100n;
  expect(changes(before, bob.holds())).toEqual({ "DVK-34ZH": total - fee, "USDT-2AB1": -1_000_000n });
  expect(changes(operatorBefore, desk.balancesOf("Operator"))).toEqual({ "DVK-34ZH": fee });
}

/** Unlocks the LP tokens once their epoch has begun. */
export async function unlockAll(desk: SandboxDesk, person: SandboxPerson, lpToken: string): Promise<void> {
  expect((await person.asks("/unlock LKTOK-1A2B/3")).text).toMatch(/unlocks .*epoch 5432/);
  desk.sandbox.chain.advanceEpoch(goodEpoch - desk.sandbox.chain.epoch());
  const before = person.holds();
  const card = await person.asks("/unlock LKTOK-1A2B/3");
  await person.taps(card, "✅ Confirm");
  await person.sees(card, accepted);
  expect(changes(before, person.holds())).toEqual({ "LKTOK-1A2B/3": -lpUnits, [lpToken]: lpUnits });
}
