import { describe, expect, it, onTestFinished } from "vitest";
import { startHttpStub, type Answer, type Received } from "../support/http-stub.js";
import { people, sandboxDesk, type SandboxDesk, type SandboxPerson } from "../support/sandbox-desk.js";

type Message = Awaited<ReturnType<SandboxPerson["reads"]>>;

/** Alice puts in 1000 DVK and 20 USDT: the root of the product is 141421356 LP units, of which 1000 stay in the pair. */
const deposit = { first: 1_000_000_000n, second: 20_000_000n };
const lpUnits = 141_420_356n;
/** 30 epochs must be exceeded; the world begins in 5397. */
const goodEpoch = 5397 + 30 + 1 + 4;

/** The functions that change something, as they went over the wire. */
function callsOf(desk: SandboxDesk): readonly Readonly<Record<string, unknown>>[] {
  return desk.sandbox.wireLog
    .entries()
    .filter(({ path }) => path === "/vm/query")
    .map(({ requestBody }) => JSON.parse(requestBody) as Readonly<Record<string, unknown>>)
    .filter(({ funcName }) => !String(funcName).startsWith("get"));
}

/** What came and went, by asset. */
function changes(before: Readonly<Record<string, bigint>>, after: Readonly<Record<string, bigint>>) {
  const assets = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    assets
      .map((asset) => [asset, (after[asset] ?? 0n) - (before[asset] ?? 0n)] as const)
      .filter(([, units]) => units !== 0n),
  );
}

/** Taps a step's button on the checklist, confirms its card, and opens the checklist again from there. */
async function doStep(person: SandboxPerson, checklist: Message, step: string): Promise<Message> {
  await person.taps(checklist, `▶️ ${step}`);
  return confirmed(person, await person.reads(new RegExp(`^${step} ·`)));
}

async function confirmed(person: SandboxPerson, card: Message): Promise<Message> {
  await person.taps(card, "✅ Confirm");
  const done = await person.sees(card, /answered ok/);
  await person.taps(done, "📋 Checklist");
  return person.reads(/^Launch /);
}

/** Makes the call that a checklist asks for as a wallet would: from exactly the values on the card. */
async function fromWallet(desk: SandboxDesk, checklist: Message): Promise<void> {
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

/** Puts something between the bot and its node, which sees each call before it is passed on. */
async function through(
  desk: SandboxDesk,
  handle: (call: { readonly funcName?: string }, pass: () => Promise<Answer>) => Promise<Answer>,
): Promise<void> {
  const passOn = async ({ method, path, text }: Received): Promise<Answer> => {
    const response = await fetch(desk.sandbox.url + path, { method, ...(method === "POST" && { body: text }) });
    return { status: response.status, body: await response.json() };
  };
  const proxy = await startHttpStub((request) => handle({ ...request.json }, () => passOn(request)));
  onTestFinished(proxy.close);
  await desk.restart({ NODE_URL: proxy.url });
}

/** How a node answers that a contract has no such function. */
const noView = {
  data: { returnData: [], returnCode: "VMFunctionNotFound", returnMessage: "invalid function (not found)" },
  error: "",
  code: "successful",
};

function buttonsOf(message: Message): readonly string[] {
  return message.keyboard?.flat().map(({ text }) => text) ?? [];
}

/** Enters both amounts of the first deposit. */
async function enterAmounts(person: SandboxPerson, checklist: Message, label: string): Promise<void> {
  await person.taps(checklist, label);
  await person.reads(/How much DVK-34ZH/);
  person.says("1000");
  await person.reads(/How much USDT-2AB1/);
  person.says("20");
}

/** Locks all LP tokens until the epoch that is offered. */
async function lockAll(person: SandboxPerson, checklist: Message): Promise<Message> {
  await person.taps(checklist, "▶️ Lock");
  const amount = await person.reads(/How much LPDVKUSDT-/);
  await person.taps(amount, String(lpUnits));
  const until = await person.reads(/Until when/);
  await person.taps(until, String(goodEpoch));
  return person.reads(/^Lock /);
}

/** The first swap in the new pair, by somebody else: the creator's pairs take 1 %, the referral another 1 % of the output. */
async function firstSwap(desk: SandboxDesk): Promise<void> {
  const bob = desk.person(people.bob);
  await bob.asks(`/wallet ${desk.address("Bob")}`);
  const [before, operatorBefore] = [bob.holds(), desk.balancesOf("Operator")];
  const card = await bob.asks("/swap 1 USDT-2AB1 DVK-34ZH");
  await bob.taps(card, "✅ Confirm");
  await bob.sees(card, /answered ok/);
  const paid = 1_000_000n * 99_000n;
  const total = (paid * deposit.first) / (deposit.second * 100_000n + paid);
  const fee = total / 100n;
  expect(changes(before, bob.holds())).toEqual({ "DVK-34ZH": total - fee, "USDT-2AB1": -1_000_000n });
  expect(changes(operatorBefore, desk.balancesOf("Operator"))).toEqual({ "DVK-34ZH": fee });
}

/** Takes the LP tokens back after their epoch. */
async function unlockAll(desk: SandboxDesk, person: SandboxPerson, lpToken: string): Promise<void> {
  expect((await person.asks("/unlock LKTOK-1A2B/3")).text).toMatch(/unlocks at epoch 5432/);
  desk.sandbox.chain.advanceEpoch(goodEpoch - desk.sandbox.chain.epoch());
  const before = person.holds();
  const card = await person.asks("/unlock LKTOK-1A2B/3");
  await person.taps(card, "✅ Confirm");
  await person.sees(card, /answered ok/);
  expect(changes(before, person.holds())).toEqual({ "LKTOK-1A2B/3": -lpUnits, [lpToken]: lpUnits });
}

describe("/launch", () => {
  it("leads from nothing to a first swap by somebody else, and the LP tokens come back after their epoch", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const address = desk.address("Alice");
    const before = alice.holds();

    alice.says("/launch");
    await alice.reads(/Where should your tokens go/);
    alice.says(address);
    await alice.reads(/Which token does the pair have first/);
    alice.says("DVK-34ZH");
    const second = await alice.reads(/And which token/);
    await alice.taps(second, "USDT");
    const ticker = await alice.reads(/Under which ticker/);
    await alice.taps(ticker, "LPDVKUSDT");
    await alice.reads(/And its name/);
    alice.says("LPofAlice");
    let checklist = await alice.reads(/^Launch /);
    expect(checklist.text.replace(/Checked at .*/, "")).toMatchInlineSnapshot(`
      "Launch DVK-34ZH / USDT-2AB1
      LP token: LPofAlice, ticker LPDVKUSDT

      ▶️ 1. Create the pair
      ▫️ 2. Issue the LP token
      ▫️ 3. Set the local roles
      ▫️ 4. Add the first liquidity
      ▫️ 5. Lock the LP tokens
      ▫️ 6. Enable swapping

      The router makes a contract for the two tokens. The account that creates the pair must also add the first liquidity and enable swapping.

      To enable swapping, LP tokens worth more than 7 USDT-2AB1 must be locked for more than 30 epochs.

      "
    `);

    checklist = await doStep(alice, checklist, "Create the pair");
    const pair = /klv1[a-z0-9]{58}/.exec(checklist.text)![0];
    expect(checklist.text).toContain("✅ 1. Create the pair · the chain shows it");
    checklist = await doStep(alice, checklist, "Issue the LP token");
    const lpToken = /LPDVKUSDT-[A-Z0-9]{4}/.exec(checklist.text)![0];
    checklist = await doStep(alice, checklist, "Set the local roles");
    expect(checklist.text).toContain("✅ 3. Set the local roles · the node answered ok");

    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    const depositCard = await alice.reads(/^Add the first liquidity/);
    expect(depositCard.text.replace(/Valid until .*/, "").replaceAll(pair, "PAIR")).toMatchInlineSnapshot(`
      "Add the first liquidity · DVK-34ZH / USDT-2AB1

      You pay in both tokens; their proportion is the first price. You receive LP tokens for all but 1000 units, which stay in the pair for ever.

      Pair: PAIR
      You pay: 1000 DVK-34ZH
      You pay: 20 USDT-2AB1
      First price: 1 DVK-34ZH = 0.02 USDT-2AB1
      The proportion should be the market's: whoever comes first takes the difference.

      All LP tokens of it are worth at least 19.999 USDT-2AB1; to enable swapping, more than 7 USDT-2AB1 has to be locked.

      The call is made in the name of your account, which must be the pair's creator:
      klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy
      "
    `);
    checklist = await confirmed(alice, depositCard);
    expect(changes(before, alice.holds())).toEqual({
      "DVK-34ZH": -deposit.first,
      "USDT-2AB1": -deposit.second,
      [lpToken]: lpUnits,
    });

    const lockCard = await lockAll(alice, checklist);
    expect(lockCard.text.replaceAll(lpToken, "LPTOKEN")).toMatch(
      /✅ Locked value: 19.999858 USDT-2AB1 \(must be above 7 USDT-2AB1\)\n✅ Locked for: 35 epochs \(must be above 30\)/,
    );
    checklist = await confirmed(alice, lockCard);
    checklist = await doStep(alice, checklist, "Enable swapping");
    expect(checklist.text).toContain("🎉 All done: the pair is open.");
    expect(changes(before, alice.holds())).toEqual({
      "DVK-34ZH": -deposit.first,
      "USDT-2AB1": -deposit.second,
      "LKTOK-1A2B/3": lpUnits,
    });

    const router = desk.sandbox.world.router.address;
    const lock = desk.sandbox.world.simpleLock.address;
    expect(callsOf(desk)).toEqual([
      { scAddress: router, funcName: "createPair", args: ["string:DVK-34ZH", "string:USDT-2AB1"], caller: address },
      {
        scAddress: router,
        funcName: "issueLpToken",
        args: [`address:${pair}`, "string:LPofAlice", "string:LPDVKUSDT"],
        caller: address,
      },
      { scAddress: router, funcName: "setLocalRoles", args: [`address:${pair}`], caller: address },
      {
        scAddress: pair,
        funcName: "addInitialLiquidity",
        args: [],
        value: "DVK-34ZH=1000000000,USDT-2AB1=20000000",
        caller: address,
      },
      {
        scAddress: lock,
        funcName: "lockTokens",
        args: [`u64:${goodEpoch}`, `address:${address}`],
        value: `${lpToken}=${lpUnits}`,
        caller: address,
      },
      {
        scAddress: router,
        funcName: "setSwapEnabledByUser",
        args: [`address:${pair}`],
        value: `LKTOK-1A2B/3=${lpUnits}`,
        caller: address,
      },
    ]);

    await firstSwap(desk);
    await unlockAll(desk, alice, lpToken);
  });

  it("leaves what the interface does not show to the person's wallet, and goes on after every restart", async () => {
    const desk = await sandboxDesk({}, { LAUNCH_EXTENDED: "false" });
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    const before = alice.holds();
    alice.says("/launch DVK-34ZH USDT-2AB1");
    let checklist = await alice.reads(/^Launch /);
    /** A restart, and the checklist from the list of launches. */
    const resumed = async () => {
      await desk.restart();
      alice.says("/launch");
      await alice.taps(await alice.reads(/^Your launches/), "DVK-34ZH / USDT-2AB1");
      return alice.reads(/^Launch /);
    };

    await doStep(alice, checklist, "Create the pair");
    checklist = await resumed();
    await doStep(alice, checklist, "Issue the LP token");
    checklist = await resumed();
    expect(checklist.text).toContain("Do this in your wallet");
    await fromWallet(desk, checklist);
    await alice.taps(checklist, "✅ Done");
    checklist = await alice.sees(checklist, /✅ 3. Set the local roles · as you told me/);

    // The word can be taken back, since nothing shows whether it was right.
    await alice.taps(checklist, "↩️ Not done: set the local roles");
    checklist = await alice.sees(checklist, /▶️ 3. Set the local roles/);
    await alice.taps(checklist, "✅ Done");
    checklist = await alice.sees(checklist, /as you told me/);

    await enterAmounts(alice, checklist, "▶️ Enter the amounts");
    await alice.reads(/addInitialLiquidity/);
    checklist = await resumed();
    await alice.taps(checklist, "🔄 Check");
    checklist = await alice.sees(checklist, /▶️ 4. Add the first liquidity/);
    await fromWallet(desk, checklist);
    await alice.taps(checklist, "🔄 Check");
    checklist = await alice.sees(checklist, /✅ 4. Add the first liquidity · the chain shows it/);
    const lpToken = /LPDVKUSDT-[A-Z0-9]{4}/.exec(checklist.text)![0];

    await confirmed(alice, await lockAll(alice, checklist));
    checklist = await resumed();
    checklist = await doStep(alice, checklist, "Enable swapping");
    expect(checklist.text).toContain("🎉 All done");
    expect(changes(before, alice.holds())).toEqual({
      "DVK-34ZH": -deposit.first,
      "USDT-2AB1": -deposit.second,
      "LKTOK-1A2B/3": lpUnits,
    });
    await firstSwap(desk);
    await unlockAll(desk, alice, lpToken);
  });

  it("finds out from the chain what became of a call without an answer, and sends nothing twice", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    await through(desk, async ({ funcName }, pass) => {
      const answer = await pass();
      return funcName === "createPair" || funcName === "lockTokens" ? "drop" : answer;
    });
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    await alice.taps(checklist, "▶️ Create the pair");
    const card = await alice.reads(/^Create the pair/);
    await alice.taps(card, "✅ Confirm");
    await alice.taps(await alice.sees(card, /Outcome unknown/), "📋 Checklist");
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("✅ 1. Create the pair · the chain shows it");

    checklist = await doStep(alice, checklist, "Issue the LP token");
    checklist = await doStep(alice, checklist, "Set the local roles");
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    checklist = await confirmed(alice, await alice.reads(/^Add the first liquidity/));

    // No view shows a lock, so the person has to tell.
    const lockCard = await lockAll(alice, checklist);
    await alice.taps(lockCard, "✅ Confirm");
    await alice.taps(await alice.sees(lockCard, /Outcome unknown/), "📋 Checklist");
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("⚠️ 5. Lock the LP tokens");
    expect(buttonsOf(checklist)).toEqual(["✅ It was carried out", "↩️ It was not", "🔄 Check", "✖️ Drop"]);
    await alice.taps(checklist, "✅ It was carried out");
    await alice.reads(/Which locked token/);
    alice.says("LKTOK-1A2B/3");
    await alice.taps(await alice.reads(/How much of LKTOK-1A2B\/3/), String(lpUnits));
    await alice.reads(/At which epoch/);
    alice.says(String(goodEpoch));
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("✅ 5. Lock the LP tokens · as you told me");
    checklist = await doStep(alice, checklist, "Enable swapping");
    expect(checklist.text).toContain("🎉 All done");
    expect(callsOf(desk).map(({ funcName }) => funcName)).toEqual([
      "createPair",
      "issueLpToken",
      "setLocalRoles",
      "addInitialLiquidity",
      "lockTokens",
      "setSwapEnabledByUser",
    ]);
    expect((await alice.asks("/locks")).text).toContain("LKTOK-1A2B/3");
  });

  it("goes by answers and by the person's word on a node without views", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    let dropped = "createPair";
    await through(desk, async ({ funcName }, pass) => {
      if (funcName?.startsWith("get") === true) return { body: noView };
      const answer = await pass();
      return funcName === dropped ? "drop" : answer;
    });
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    expect(checklist.text).toContain("This node doesn't tell the router's conditions");
    await alice.taps(checklist, "▶️ Create the pair");
    const card = await alice.reads(/^Create the pair/);
    await alice.taps(card, "✅ Confirm");
    await alice.taps(await alice.sees(card, /Outcome unknown/), "📋 Checklist");
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("no view that tells");
    expect(buttonsOf(checklist)).not.toContain("▶️ Create the pair");
    await alice.taps(checklist, "✅ It was carried out");
    await alice.reads(/Send the pair's address/);
    const pair = desk.sandbox.chain.pools().find(({ firstToken }) => firstToken === "DVK-34ZH")!.address;
    alice.says(pair);
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("✅ 1. Create the pair · as you told me");

    dropped = "nothing";
    checklist = await doStep(alice, checklist, "Issue the LP token");
    expect(checklist.text).toContain("✅ 2. Issue the LP token · the node answered ok");
    checklist = await doStep(alice, checklist, "Set the local roles");
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    checklist = await confirmed(alice, await alice.reads(/^Add the first liquidity/));
    expect(checklist.text).toContain("✅ 4. Add the first liquidity · the node answered ok");
    await alice.taps(checklist, "▶️ Lock");
    await alice.taps(await alice.reads(/How much LPDVKUSDT-/), String(lpUnits));
    await alice.reads(/Until when/);
    alice.says("5432");
    checklist = await confirmed(alice, await alice.reads(/^Lock /));

    // Nobody can check the conditions here, so it takes a second step, and the router judges.
    await alice.taps(checklist, "▶️ Enable swapping");
    const enable = await alice.reads(/^Enable swapping/);
    expect(buttonsOf(enable)).toEqual(["I understand, show the card", "✖️ Cancel"]);
    await alice.taps(enable, "I understand");
    await alice.sees(enable, /in the name of your account/);
    expect((await confirmed(alice, enable)).text).toContain("🎉 All done");
    await firstSwap(desk);
  });

  it("offers to enable only when value and time are above the minimum, not equal to it", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    for (const step of ["Create the pair", "Issue the LP token", "Set the local roles"]) {
      checklist = await doStep(alice, checklist, step);
    }
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    checklist = await confirmed(alice, await alice.reads(/^Add the first liquidity/));

    const lock = async (amount: string, epoch: string) => {
      await alice.taps(checklist, "▶️ Lock");
      const prompt = await alice.reads(/How much LPDVKUSDT-/);
      expect(prompt.text).toContain("At least 49497482 is needed");
      alice.says(amount);
      await alice.reads(/Until when[^]*epoch 5428 or later/);
      alice.says(epoch);
      checklist = await confirmed(alice, await alice.reads(/^Lock /));
    };
    // 49497481 units are worth exactly 7 USDT at 20 USDT for 141421356, and 5427 is exactly 30 epochs away.
    await lock("49497481", "5428");
    expect(checklist.text).toContain("❌ Locked value: 7 USDT-2AB1 (must be above 7 USDT-2AB1)");
    expect(checklist.text).toContain("the public descriptions of the router disagree");
    expect(buttonsOf(checklist)).not.toContain("▶️ Enable swapping");
    await lock("60000000", "5427");
    expect(checklist.text).toContain("❌ Locked for: 30 epochs (must be above 30)");
    expect(buttonsOf(checklist)).not.toContain("▶️ Enable swapping");
    // The same epoch again: it is added to the first lock.
    await lock("1", "5428");
    expect(buttonsOf(checklist)).toContain("▶️ Enable swapping");

    // An epoch later it is too late for the open card, and nothing is sent.
    await alice.taps(checklist, "▶️ Enable swapping");
    const card = await alice.reads(/^Enable swapping/);
    desk.sandbox.chain.advanceEpoch(1);
    await alice.taps(card, "✅ Confirm");
    await alice.sees(card, /This step isn't the next one[^]*Not sent/);
    expect(callsOf(desk).filter(({ funcName }) => funcName === "setSwapEnabledByUser")).toEqual([]);
  });

  it("refuses what could not be launched, each with its reason, and calls nothing", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    const pair = desk.sandbox.world.pairs[0]!.address;
    expect((await alice.asks("/launch KLV KFI")).text).toContain(`exists already, at ${pair}`);
    expect((await alice.asks("/launch KFI KLV")).text).toContain(`exists already, at ${pair}`);
    expect((await alice.asks("/launch KFI KFI")).text).toContain("Both sides are KFI");
    expect((await alice.asks("/launch KFI NOPE")).text).toContain("I don't know a token “NOPE”");
    expect((await alice.asks("/launch KFI LKTOK-1A2B")).text).toContain("not an ordinary token");
    expect((await alice.asks("/launch KFI BTC-9K3F LP")).text).toContain("“LP” can't be the LP token's ticker");
    expect((await alice.asks("/launch KFI BTC-9K3F LPX n-ame")).text).toContain("“n-ame” can't be the LP token's name");
    expect((await alice.asks("/launch KFI")).text).toContain("/launch KLV DVK-34ZH");
    expect(callsOf(desk)).toEqual([]);
  });

  it("says from the beginning when a pair could never be enabled, and when somebody else made it", async () => {
    const desk = await sandboxDesk();
    const [alice, bob] = [desk.person(people.alice), desk.person(people.bob)];
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    await bob.asks(`/wallet ${desk.address("Bob")}`);
    const useless = await alice.asks("/launch DVK-34ZH BTC-9K3F");
    expect(useless.text).toContain("neither of these two is one of them");

    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    const others = await bob.asks("/launch DVK-34ZH USDT-2AB1");
    await doStep(bob, others, "Create the pair");
    // Alice's card, opened before, no longer holds.
    await alice.taps(checklist, "🔄 Check");
    checklist = await alice.sees(checklist, /✅ 1. Create the pair/);
    expect(checklist.text).toContain(`Only ${desk.address("Bob")} may add the first liquidity`);
    expect((await alice.asks("/launch DVK-34ZH USDT-2AB1")).text).toContain("Only");
    expect(callsOf(desk).map(({ caller }) => caller)).toEqual([desk.address("Bob")]);
  });

  it("drops a launch after a second step, and takes it up again where the chain stands", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    checklist = await doStep(alice, checklist, "Create the pair");
    await alice.taps(checklist, "✖️ Drop");
    checklist = await alice.sees(checklist, /On the chain nothing changes/);
    await alice.taps(checklist, "‹ Back");
    checklist = await alice.sees(checklist, /^Launch /);
    await alice.taps(checklist, "✖️ Drop");
    checklist = await alice.sees(checklist, /^Drop the launch/);
    await alice.taps(checklist, "✖️ Yes");
    await alice.sees(checklist, /^Dropped/);
    // In the other order too: the pair's own order counts.
    checklist = await alice.asks("/launch USDT-2AB1 DVK-34ZH");
    expect(checklist.text).toMatch(/^Launch DVK-34ZH \/ USDT-2AB1[^]*✅ 1. Create the pair · the chain shows it/);
  });

  it("warns where the node is not told who calls", async () => {
    const desk = await sandboxDesk({}, { CALL_INCLUDES_CALLER: "false" });
    const alice = desk.person(people.alice);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    await alice.taps(checklist, "▶️ Create the pair");
    const card = await alice.reads(/^Create the pair/);
    expect(card.text).toContain("no field for who makes this call");
    checklist = await confirmed(alice, card);
    expect(checklist.text).toContain(`Only ${desk.address("Operator")} may add the first liquidity`);
    expect(checklist.text).toContain("If the account behind this bot's node is that one, it works all the same.");
  });
});
