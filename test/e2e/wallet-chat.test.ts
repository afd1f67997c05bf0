import { describe, expect, it } from "vitest";
import { until } from "../support/until.js";
import { messages } from "../../src/locales/messages.js";
import { comparedCard, labelsOf, people } from "../support/sandbox-desk.js";
import { bigints, walletChat, walletClock } from "../support/wallet-chat.js";

const TWO_DAYS = 2 * 24 * 3_600_000;

describe("a swap on a real chain", () => {
  it("is signed on the page, executed once, and costs exactly its amount and its fee", async () => {
    const { alice, pageOf, post, sign, transactions } = await walletChat();
    const before = alice.holds();
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    const waiting = await alice.confirms(card, /Waiting for your signature/);
    expect(transactions()).toEqual([]);
    const page = pageOf(waiting);
    expect(await sign(page)).toBe(200);
    const done = await alice.sees(card, /Swap completed/);
    const [transaction, ...others] = transactions();
    expect(others).toEqual([]);
    // Leaves out the balances, which a slow machine may not have read in time.
    const hidden = done.text
      .replace(/Network fee: [0-9.]+/, "Network fee: …")
      .replace(/\n(?:Balance|What you confirmed):[^]*$/u, "");
    expect(hidden).toMatchInlineSnapshot(`
      "✅ Swap completed
      You paid: 100 KLV
      You received: 0.982076 KFI
      Bot fee 1%: 0.009919 KFI
      Network fee: … KLV
      To klv1usdny…ujlazy"
    `);
    await alice.sees(card, new RegExp(`Transaction: ${transaction!.hash}`));
    const after = alice.holds();
    expect(before["KLV"]! - after["KLV"]!).toBe(100_000_000n + BigInt(transaction!.fee));
    expect(after["KFI"]! - before["KFI"]!).toBe(982_076n);
    expect((await post(page, "signature", { signature: "0".repeat(128) })).status).toBe(410);
    expect((await alice.asks("/history")).text).toContain("· done");
  });
});

it("an outcome whose link Telegram refuses is shown without it, and operators are told of the variable", async () => {
  const { desk, alice, pageOf, sign } = await walletChat({
    EXPLORER_URL: "http://explorer:3000",
    ADMIN_USER_IDS: String(people.carol),
  });
  const carol = desk.person(people.carol);
  await carol.asks("/start");
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
  const done = await alice.sees(card, /Swap completed/);
  expect(labelsOf(done).length).toBeGreaterThan(0);
  expect(labelsOf(done).join()).not.toContain(messages.en.intent.explorer);
  await carol.reads(/Telegram rejects links to EXPLORER_URL/);
});

it("an outcome that Telegram didn't accept is shown as soon as it does", async () => {
  const { desk, alice, pageOf, sign } = await walletChat();
  const { telegram } = desk.sandbox;
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  const page = pageOf(await alice.confirms(card, /Waiting for your signature/));
  // Neither edits nor new messages.
  telegram.faultNext("*", "drop-before", 6);
  expect(await sign(page)).toBe(200);
  await until(() => telegram.chat(alice.id).some(({ text }) => /Swap completed/.test(text)));
});

it("a transaction that the network lost becomes of unknown outcome; a tap checks balances, and a later send by the wallet is found", async () => {
  let ahead = 0;
  const swift = walletClock();
  const clock = { ...swift, now: () => swift.now() + ahead };
  const { desk, alice, pageOf, sign } = await walletChat({}, { clock });
  const { node, wallet } = desk.sandbox.real!;
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  const page = pageOf(await alice.confirms(card, /Waiting for your signature/));
  const { transaction } = (await (await fetch(`${page}/request`)).json()) as { transaction: unknown };
  node.set({ losesBroadcasts: true });
  expect(await sign(page)).toBe(200);
  await until(() => desk.sandbox.wireLog.entries().some(({ path }) => path === "/transaction/broadcast"));
  // After this time the node would have dropped it, so a missing transaction proves nothing.
  ahead = TWO_DAYS;
  await alice.sees(card, /Outcome unknown/);
  const looksAgain = async () => {
    await alice.taps(card, "🔎 Check");
    return (await alice.sees(card, /🔎/)).text;
  };
  await until(async () => (await looksAgain()).includes("Balance: "));
  expect(node.transactions()).toEqual([]);

  // The wallet still has the same bytes, and broadcasts them.
  node.set({ losesBroadcasts: false });
  wallet.set({ mode: "broadcasts" });
  await wallet.sign(bigints(transaction));
  await alice.sees(card, /Swap completed/);
  expect(node.transactions()).toHaveLength(1);
});

describe("a request for a signature", () => {
  it.each(["/cancel", "/freeze"])("is closed by %s: its page says so, and nothing is broadcast", async (said) => {
    const { alice, pageOf, post, transactions } = await walletChat();
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await alice.confirms(card, /Waiting for your signature/);
    const page = pageOf(card);
    expect((await fetch(page)).status).toBe(200);
    expect((await alice.asks(said)).text).toMatch(/^Cancelling\. Checking .*:\n100 KLV → KFI$/m);
    await alice.sees(card, /Cancelled. Nothing was sent/);
    expect((await post(page, "signature", { signature: "0".repeat(128) })).status).toBe(410);
    expect((await fetch(page)).status).toBe(410);
    expect(transactions()).toEqual([]);
  });

  it("can be answered after a restart", async () => {
    const { desk, alice, pageOf, sign, transactions } = await walletChat();
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await alice.confirms(card, /Waiting for your signature/);
    const page = pageOf(card);
    await desk.restart();
    await expect.poll(async () => (await fetch(`${page}/request`)).status).toBe(200);
    expect(await sign(page)).toBe(200);
    // If frozen before that, it wouldn't be broadcast at all.
    await expect.poll(transactions).toHaveLength(1);
    expect((await alice.asks("/freeze")).text).toMatch(/may still go through:\n.*100 KLV/);
    await desk.restart();
    await alice.sees(card, /Swap completed/);
    expect(transactions()).toHaveLength(1);
  });
});

it("a node of another chain is detected at the start, and no card is opened", async () => {
  const { alice } = await walletChat({ CHAIN_ID: "108" });
  await expect.poll(async () => (await alice.asks("/swap 100 KLV KFI")).text).toMatch(/on the wrong chain/);
  expect((await alice.asks("/lock 5 KFI 9000")).text).toMatch(/on the wrong chain/);
});

it("a pair isn't created if the chain would pass its tokens on in another order", async () => {
  const { alice, transactions } = await walletChat();
  const checklist = await alice.asks("/launch USDT-2AB1 DVK-34ZH", /^Launch /);
  await alice.taps(checklist, "▶️ Create the pair");
  await alice.reads(/Launch it the other way round: \/launch DVK-34ZH USDT-2AB1/);
  expect(transactions()).toEqual([]);
});

it("the first card shows the network fee, in a total that warns from 5%, and the card to sign shows what the user gets", async () => {
  const { desk, alice, pageOf } = await walletChat();
  const first = await comparedCard(alice, "/swap 10 KLV KFI");
  const [, about = ""] = /\nNetwork fee about: ([0-9.]+) KLV\n/.exec(first.text) ?? [];
  const [, share = "", total = ""] = /\n⚠️ Total cost: ([0-9.]+)% \(([0-9.]+) KLV\)\n/.exec(first.text) ?? [];
  // Pool and bot fee take 1.3% of the 10 KLV.
  expect(Number(total) - Number(about)).toBeCloseTo(0.13, 2);
  expect(Number(share)).toBeCloseTo(Number(total) * 10, 1);
  expect(first.text).toMatch(`${about} network fee`);
  const gets = /You get about: .*\nYou get at least: .*\n/.exec(first.text)![0];
  const waiting = await alice.confirms(first, /Waiting for your signature/);
  expect(waiting.text).toContain(gets);
  const [, exact = ""] = /Maximum network fee: ([0-9.]+) KLV/.exec(waiting.text) ?? [];
  expect(Number(exact)).toBeLessThanOrEqual(Number(about));
  expect(Number(about) - Number(exact)).toBeLessThan(0.1);
  expect(await (await fetch(`${pageOf(waiting)}/request`)).text()).not.toContain("Network fee about");

  // The next estimates of this kind need no request, and a payment in another token counts by its value.
  const builds = () => desk.sandbox.wireLog.entries().filter(({ path }) => path.startsWith("/transaction/send")).length;
  const before = builds();
  expect((await comparedCard(alice, "/swap 1000 KLV KFI")).text).toMatch(/\nTotal cost: [^]*\nNetwork fee about: /);
  // Of 50 KLV, some 4.94 are more than 5%; of 100, they are less, but with the other fees more, too.
  for (const paid of ["0.5 KFI KLV", "100 KLV KFI"]) {
    expect((await comparedCard(alice, `/swap ${paid}`)).text).toMatch(
      /\n⚠️ Total cost: (?:1[01]|6)\.[^]*\nNetwork fee about: /,
    );
  }
  expect((await comparedCard(alice, "/swap 10 KFI KLV")).text).toMatch(/\nTotal cost: 1\./);
  expect(builds()).toBe(before);
});

it("if the node reports no network fee, the card says that it is shown before signing", async () => {
  const { desk, alice } = await walletChat();
  desk.sandbox.faults.set("node-build", "5xx");
  expect((await comparedCard(alice, "/swap 10 KLV KFI")).text).toMatch(/\nNetwork fee: shown before you sign\n/);
  desk.sandbox.faults.set("node-build", undefined);
  expect((await comparedCard(alice, "/swap 10 KLV KFI")).text).toMatch(/\nNetwork fee about: /);
});
