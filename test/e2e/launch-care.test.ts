import { describe, expect, it } from "vitest";
import {
  lpUnits,
  goodEpoch,
  callsOf,
  doStep,
  confirmed,
  through,
  noView,
  buttonsOf,
  depositCardOf,
  enterAmounts,
  lockAll,
  firstSwap,
} from "../support/launch-chat.js";
import { defaultWorld, people, sandboxDesk, tradingDesk } from "../support/sandbox-desk.js";

describe("a launch", () => {
  it("finds the outcome of a call without an answer on chain, and sends no call twice", async () => {
    const { desk, alice } = await tradingDesk();
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
    expect(checklist.text).toContain("✅ 1. Create the pair · on chain");
    await alice.sees(card, /^✅ Create the pair · [^]*🔎 Confirmed on chain\./);
    expect((await alice.asks("/history")).text).toMatch(/✅ 🚀 Create the pair/);

    checklist = await doStep(alice, checklist, "Issue the LP token");
    checklist = await doStep(alice, checklist, "Set the token roles");
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    const deposit = await depositCardOf(alice);
    // The market price moves away from the card's.
    const { pairs } = desk.sandbox.chain.state;
    for (const [address, pair] of pairs.entries()) {
      pairs.set(address, { ...pair, reserveFirst: pair.reserveFirst * (pair.secondToken === "DVK-34ZH" ? 2n : 1n) });
    }
    await alice.confirms(deposit, /Replaced by a newer one/);
    const keepAmounts = () => alice.taps(deposit, "⚠️ Keep these amounts");
    await expect.poll(keepAmounts, { interval: 300 }).toBe("");
    checklist = await confirmed(alice, await alice.sees(deposit, /You pay: 1,000 DVK-34ZH/));

    // No view shows a lock, so the user has to report it.
    const lockCard = await lockAll(alice, checklist);
    await alice.taps(lockCard, "✅ Confirm");
    await alice.taps(await alice.sees(lockCard, /Outcome unknown/), "📋 Checklist");
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("⚠️ 5. Lock the LP tokens");
    expect(buttonsOf(checklist)).toEqual(["✅ It went through", "↩️ It didn't", "🔄 Check", "🗑 Remove"]);
    await alice.taps(checklist, "✅ It went through");
    await alice.reads(/Which locked token/);
    alice.says("LKTOK-1A2B/3");
    await alice.taps(await alice.reads(/How much LKTOK-1A2B\/3/), String(lpUnits));
    await alice.reads(/At which epoch/);
    checklist = await alice.asks(String(goodEpoch), /^Launch /);
    expect(checklist.text).toContain("✅ 5. Lock the LP tokens · reported by you");
    checklist = await doStep(alice, checklist, "Enable swapping");
    expect(checklist.text).toContain("🎉 Done");
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

  it("asks the chain for a step's outcome as its checklist does, and never claims a change that it didn't see", async () => {
    const { desk, alice } = await tradingDesk();
    let views: "asked" | "away" | "missing" = "missing";
    await through(desk, async ({ funcName }, pass) => {
      if (funcName?.startsWith("get") !== true || views === "asked") return pass();
      return views === "away" ? { status: 503, body: {} } : { body: noView };
    });
    const checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    await alice.taps(checklist, "▶️ Create the pair");
    const card = await alice.reads(/^Create the pair/);
    await alice.taps(card, "✅ Confirm");
    await alice.sees(card, /^☑️ Accepted, not yet confirmed\nCreate the pair/);
    await alice.taps(card, "🔎 Check");
    const unclear = await alice.sees(card, /🔎 Still unclear .*\nThe node can't show this step by itself/);
    expect(unclear.text).not.toMatch(/balance|:$/i);
    views = "away";
    await alice.taps(card, "🔎 Check");
    await alice.sees(card, /I can't reach the node right now/);
    expect((await alice.asks("/history")).text).toMatch(/☑️ 🚀 Create the pair/);
    views = "asked";
    await alice.taps(card, "🔎 Check");
    await alice.sees(card, /^✅ Create the pair · [^]*🔎 Confirmed on chain\./);
    expect((await alice.asks("/history")).text).toMatch(/✅ 🚀 Create the pair/);
  });

  it("relies on the node's answers and the user's reports if the node has no views", async () => {
    const { desk, alice } = await tradingDesk();
    let dropped = "createPair";
    await through(desk, async ({ funcName }, pass) => {
      if (funcName?.startsWith("get") === true) return { body: noView };
      const answer = await pass();
      return funcName === dropped ? "drop" : answer;
    });
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    expect(checklist.text).toContain("This node doesn't report the router's requirements");
    await alice.taps(checklist, "▶️ Create the pair");
    const card = await alice.reads(/^Create the pair/);
    await alice.taps(card, "✅ Confirm");
    await alice.taps(await alice.sees(card, /Outcome unknown/), "📋 Checklist");
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("can't show whether it went through");
    expect(buttonsOf(checklist)).not.toContain("▶️ Create the pair");
    await alice.taps(checklist, "✅ It went through");
    await alice.reads(/Send the pair's address/);
    const pair = desk.sandbox.chain.pools().find(({ firstToken }) => firstToken === "DVK-34ZH")!.address;
    checklist = await alice.asks(pair, /^Launch /);
    expect(checklist.text).toContain("✅ 1. Create the pair · reported by you");

    dropped = "nothing";
    checklist = await doStep(alice, checklist, "Issue the LP token");
    expect(checklist.text).toContain("✅ 2. Issue the LP token · accepted by the node");
    checklist = await doStep(alice, checklist, "Set the token roles");
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    checklist = await confirmed(alice, await depositCardOf(alice));
    expect(checklist.text).toContain("✅ 4. Add the first liquidity · accepted by the node");
    await alice.taps(checklist, "▶️ Lock");
    await alice.taps(await alice.reads(/How much LPDVKUSDT-/), "141,420,356");
    await alice.reads(/Lock until when/);
    alice.says("5432");
    // Nobody knows whether it is enough, so it needs an extra confirmation.
    const lock = await alice.reads(/^Lock [^]*I can't check whether this lock is enough/);
    expect(buttonsOf(lock)).toEqual(["I understand, continue", "✖️ Cancel"]);
    await alice.taps(lock, "I understand");
    checklist = await confirmed(alice, await alice.sees(lock, /You lock/));

    // The conditions can't be checked here, so it needs an extra confirmation, and the router decides.
    await alice.taps(checklist, "▶️ Enable swapping");
    const enable = await alice.reads(/^Enable swapping/);
    expect(buttonsOf(enable)).toEqual(["I understand, continue", "✖️ Cancel"]);
    await alice.taps(enable, "I understand");
    await alice.sees(enable, /Sent from your account/);
    expect((await confirmed(alice, enable)).text).toContain("🎉 Done");
    await firstSwap(desk, false);
  });

  it("can be enabled only if value and time are above the minimum, not equal to it", async () => {
    const { desk, alice } = await tradingDesk();
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    for (const step of ["Create the pair", "Issue the LP token", "Set the token roles"]) {
      checklist = await doStep(alice, checklist, step);
    }
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    checklist = await confirmed(alice, await depositCardOf(alice));

    const lock = async (amounts: readonly string[], epoch: string, isEnough = false) => {
      await alice.taps(checklist, "▶️ Lock");
      const prompt = await alice.reads(/How much LPDVKUSDT-/);
      expect(prompt.text).toContain("at least 49,497,482");
      for (const [index, amount] of amounts.entries()) {
        const isLast = index === amounts.length - 1;
        await alice.asks(
          amount,
          isLast ? /Current epoch[^]*epoch 5428 or later/ : /too little: step 6 needs at least 49,497,482/,
        );
      }
      alice.says(epoch);
      const card = await alice.reads(/^Lock /);
      if (!isEnough) {
        expect(card.text).toMatch(
          /not enough for step 6 of your launch. Your tokens will be locked for nothing until .*epoch 54/,
        );
        expect(buttonsOf(card)).toEqual(["I understand, continue", "✖️ Cancel"]);
        await alice.taps(card, "I understand");
      }
      const offer = await alice.sees(card, isEnough ? /✅ Enough to enable/ : /❌ Not enough to enable/);
      checklist = await confirmed(alice, offer);
    };
    // Asked for by itself, the same lock needs the same extra confirmation.
    const lpToken = /LPDVKUSDT-[A-Z0-9]{4}/.exec(checklist.text)![0];
    const byItself = await alice.asks(`/lock 1000 ${lpToken} 5432`);
    expect(byItself.text).toMatch(/not enough for step 6 of your launch[^]*Locked value/);
    expect(buttonsOf(byItself)).toEqual(["I understand, continue", "✖️ Cancel"]);
    expect((await alice.asks(`/lock 60000000 ${lpToken} 5432`)).text).toContain("✅ Enough to enable swapping");
    // 49497481 units are worth exactly 7 USDT at 20 USDT for 141421356, and 5427 is exactly 30 epochs away.
    await lock(["1000", "49497481"], "5428");
    expect(checklist.text).toContain("❌ Locked value: 7 USDT-2AB1 (must be above 7 USDT-2AB1)");
    expect(buttonsOf(checklist)).not.toContain("▶️ Enable swapping");
    await lock(["60000000"], "5427");
    expect(checklist.text).toContain("❌ Locked for: 30 epochs (must be above 30)");
    expect(buttonsOf(checklist)).not.toContain("▶️ Enable swapping");
    // With the same epoch, it is added to the first lock.
    await lock(["1"], "5428", true);
    expect(buttonsOf(checklist)).toContain("▶️ Enable swapping");

    // An epoch later the open card no longer holds, and nothing is sent.
    await alice.taps(checklist, "▶️ Enable swapping");
    const card = await alice.reads(/^Enable swapping/);
    desk.sandbox.chain.advanceEpoch(1);
    await alice.confirms(card, /Not sent[^]*This step can't be done yet/);
    expect(callsOf(desk).filter(({ funcName }) => funcName === "setSwapEnabledByUser")).toEqual([]);
  });

  it("offers what its lock needs and 5 % more, and sends no lock that has become too little since its card", async () => {
    const { desk, alice } = await tradingDesk();
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    for (const step of ["Create the pair", "Issue the LP token", "Set the token roles"]) {
      checklist = await doStep(alice, checklist, step);
    }
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    checklist = await confirmed(alice, await depositCardOf(alice));
    await alice.taps(checklist, "▶️ Lock");
    await alice.reads(/at least 49,497,482/);
    // Too little the first time, in whole LP tokens of a wallet's eighteen decimals, and the question is asked again.
    const again = await alice.asks("1,000", /⚠️ 1,000 is too little: step 6 needs at least 49,497,482/);
    expect(buttonsOf(again)).toEqual(["51,972,357", "✖️ Cancel"]);
    await alice.taps(again, "51,972,357");
    await alice.taps(await alice.reads(/Lock until when/), String(goodEpoch));
    const card = await alice.reads(/^Lock 51,972,357/);
    expect(card.text).toContain("✅ Enough to enable swapping");
    // Half of the pool's USDT is gone before the tap.
    const { pairs } = desk.sandbox.chain.state;
    for (const [address, pair] of pairs.entries()) {
      if (pair.firstToken !== "DVK-34ZH" && pair.secondToken !== "DVK-34ZH") continue;
      if (pair.firstToken !== "USDT-2AB1" && pair.secondToken !== "USDT-2AB1") continue;
      const half = (token: string, reserve: bigint) => (token === "USDT-2AB1" ? reserve / 2n : reserve);
      const reserveFirst = half(pair.firstToken, pair.reserveFirst);
      pairs.set(address, { ...pair, reserveFirst, reserveSecond: half(pair.secondToken, pair.reserveSecond) });
    }
    await alice.confirms(card, /no longer enough for step 6 of your launch. Nothing was sent[^]*locked for nothing/);
    expect(callsOf(desk).filter(({ funcName }) => funcName === "lockTokens")).toEqual([]);
  });

  it("is refused with the reason if it can't succeed, without a call", async () => {
    const { desk, alice } = await tradingDesk();
    const pair = desk.sandbox.world.pairs[0]!.address;
    expect((await alice.asks("/launch KLV KFI")).text).toContain(`already exists: ${pair}`);
    expect((await alice.asks("/launch KFI KLV")).text).toContain(`already exists: ${pair}`);
    expect((await alice.asks("/launch KFI KFI")).text).toContain("can't trade KFI for itself");
    expect((await alice.asks("/launch KFI NOPE")).text).toContain("I don't know the token “NOPE”");
    expect((await alice.asks("/launch KFI LKTOK-1A2B")).text).toContain("isn't a fungible token");
    expect((await alice.asks("/launch KFI BTC-9K3F LP")).text).toContain("“LP” isn't a valid ticker");
    expect((await alice.asks("/launch KFI BTC-9K3F LPX n-ame")).text).toContain("“n-ame” isn't a valid LP token name");
    expect((await alice.asks("/launch KFI")).text).toContain("/launch KLV DVK-34ZH");
    expect(callsOf(desk)).toEqual([]);
  });

  it("warns from the start if the pair could never be enabled, or if somebody else created it", async () => {
    const desk = await sandboxDesk();
    const [alice, bob] = [desk.person(people.alice), desk.person(people.bob)];
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    await bob.asks(`/wallet ${desk.address("Bob")}`);
    const useless = await alice.asks("/launch DVK-34ZH BTC-9K3F");
    expect(useless.text).toContain("neither token is one it accepts as a base");

    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    const others = await bob.asks("/launch DVK-34ZH USDT-2AB1");
    await doStep(bob, others, "Create the pair");
    // Alice's checklist from before is outdated.
    await alice.taps(checklist, "🔄 Check");
    checklist = await alice.sees(checklist, /✅ 1. Create the pair/);
    expect(checklist.text).toContain(`Only ${desk.address("Bob")} can add the first liquidity`);
    expect((await alice.asks("/launch DVK-34ZH USDT-2AB1")).text).toContain("Only");
    expect(callsOf(desk).map(({ caller }) => caller)).toEqual([desk.address("Bob")]);
  });

  it("is removed after a confirmation, and resumes from the state on chain", async () => {
    const { alice } = await tradingDesk();
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    checklist = await doStep(alice, checklist, "Create the pair");
    await alice.taps(checklist, "🗑 Remove");
    checklist = await alice.sees(checklist, /Nothing changes on chain/);
    await alice.taps(checklist, "‹ Back");
    checklist = await alice.sees(checklist, /^Launch /);
    await alice.taps(checklist, "🗑 Remove");
    checklist = await alice.sees(checklist, /^Remove the /);
    await alice.taps(checklist, "🗑 Yes");
    await alice.sees(checklist, /^Removed/);
    // Also in the other order: the pair's own order counts.
    checklist = await alice.asks("/launch USDT-2AB1 DVK-34ZH");
    expect(checklist.text).toMatch(/^Launch DVK-34ZH \/ USDT-2AB1[^]*✅ 1. Create the pair · on chain/);
  });

  it("warns if calls don't name the caller to the node", async () => {
    const { desk, alice } = await tradingDesk({}, { CALL_INCLUDES_CALLER: "false" });
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    await alice.taps(checklist, "▶️ Create the pair");
    const card = await alice.reads(/^Create the pair/);
    expect(card.text).toContain("from the node's own account");
    checklist = await confirmed(alice, card);
    expect(checklist.text).toContain(`Only ${desk.address("Operator")} can add the first liquidity`);
    expect(checklist.text).toContain("If this bot's node sends from that account, it still works.");
  });

  it("offers the second token's amount at the market price, and warns about other amounts", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
    for (const step of ["Create the pair", "Issue the LP token", "Set the token roles"]) {
      checklist = await doStep(alice, checklist, step);
    }
    await alice.taps(checklist, "▶️ Add the first liquidity");
    expect((await alice.reads(/How much DVK-34ZH/)).text).toContain("You have 250,000 DVK-34ZH.");
    // A KLV is worth 10 DVK or 0.0067 USDT.
    const second = await alice.asks("1k");
    expect(second.text).toMatch(/How much USDT-2AB1[^]*At the market price it is 0\.6[0-9]* USDT-2AB1/);
    const warning = await alice.asks("20");
    expect(warning.text).toContain("far from the market");
    await alice.taps(warning, "✏️ Change amounts");
    await alice.reads(/How much DVK-34ZH/);
    const again = await alice.asks("1k");
    await alice.taps(again, "0.6");
    const card = await alice.reads(/^Add the first liquidity/);
    expect(card.text).not.toContain("far from the market");
    expect(buttonsOf(card)[0]).toMatch(/✅ Confirm/);
  });

  it("says that the pair exists before it asks for the LP token's name", async () => {
    const { alice } = await tradingDesk();
    await alice.asks("/launch");
    await alice.asks("KLV");
    expect((await alice.asks("KFI")).text).toMatch(/already exists/);
    // Another token answers the same question.
    await alice.asks("/cancel");
    await alice.asks("/launch");
    await alice.asks("DVK-34ZH");
    await alice.asks("KLV");
    expect((await alice.asks("USDT-2AB1")).text).toMatch(/LP token ticker/);
  });
});
