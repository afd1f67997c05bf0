import { describe, expect, it } from "vitest";
import {
  deposit,
  lpUnits,
  goodEpoch,
  callsOf,
  changes,
  doStep,
  confirmed,
  fromWallet,
  depositCardOf,
  enterAmounts,
  lockAll,
  firstSwap,
  unlockAll,
} from "../support/launch-chat.js";
import { people, sandboxDesk, tradingDesk } from "../support/sandbox-desk.js";

describe("/launch", () => {
  it("leads from nothing to the first swap by somebody else, and the LP tokens can be unlocked after their epoch", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const address = desk.address("Alice");
    const before = alice.holds();

    await alice.asks("/launch", /Send your klv1… wallet address/);
    await alice.asks(address, /Which is the pair's first token/);
    const second = await alice.asks("DVK-34ZH", /Which token do you want to pair/);
    await alice.taps(second, "USDT");
    const ticker = await alice.reads(/LP token ticker/);
    await alice.taps(ticker, "LPDVKUSDT");
    await alice.reads(/LP token name/);
    let checklist = await alice.asks("LPofAlice", /^Launch /);
    expect(checklist.text.replace(/Checked at .*/, "")).toMatchInlineSnapshot(`
      "Launch DVK-34ZH / USDT-2AB1
      LP token: LPofAlice, ticker LPDVKUSDT

      ▶️ 1. Create the pair
      ▫️ 2. Issue the LP token
      ▫️ 3. Set the token roles
      ▫️ 4. Add the first liquidity
      ▫️ 5. Lock the LP tokens
      ▫️ 6. Enable swapping

      The router deploys a contract for this pair. The same account must later add the first liquidity and enable swapping.

      To enable swapping, lock LP tokens worth more than 7 USDT-2AB1 for more than 30 epochs (about 8 days).

      "
    `);

    checklist = await doStep(alice, checklist, "Create the pair");
    const pair = /klv1[a-z0-9]{58}/.exec(checklist.text)![0];
    expect(checklist.text).toContain("✅ 1. Create the pair · on chain");
    checklist = await doStep(alice, checklist, "Issue the LP token");
    const lpToken = /LPDVKUSDT-[A-Z0-9]{4}/.exec(checklist.text)![0];
    checklist = await doStep(alice, checklist, "Set the token roles");
    expect(checklist.text).toContain("✅ 3. Set the token roles · accepted by the node");

    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    const depositCard = await depositCardOf(alice);
    expect(
      depositCard.text.replace(/(?:Valid until|Valid until) .*/, "").replaceAll(pair, "PAIR"),
    ).toMatchInlineSnapshot(`
      "Add the first liquidity · DVK-34ZH / USDT-2AB1
      You deposit both tokens; their ratio sets the starting price. You receive LP tokens, minus 1,000 base units that stay in the pair forever.

      Pair: PAIR
      You pay: 1,000 DVK-34ZH
      You pay: 20 USDT-2AB1
      Starting price: 1 DVK-34ZH = 0.02 USDT-2AB1
      Market price: 1 DVK-34ZH = 0.00067 USDT-2AB1. Your price for DVK-34ZH is 2,885.07% higher.
      Arbitrage traders can take up to 13.348798 USDT-2AB1 of your deposit.

      Your LP tokens will be worth at least 19.999 USDT-2AB1. You need to lock more than 7 USDT-2AB1 to enable swapping.

      Sent from your account, which must be the pair's creator:
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
    expect(lockCard.text).toContain("✅ Enough to enable swapping");
    expect(lockCard.text.replaceAll(lpToken, "LPTOKEN")).toMatch(
      /✅ Locked value: 19.999858 USDT-2AB1 \(must be above 7 USDT-2AB1\)\n✅ Locked for: 35 epochs \(must be above 30\)/,
    );
    checklist = await confirmed(alice, lockCard);
    await alice.taps(lockCard, "🔎 Check");
    await alice.sees(lockCard, /^☑️[^]*🔎 Still unclear .*\nThe node can't show this step by itself/);
    await alice.taps(checklist, "▶️ Enable swapping");
    const enabling = await alice.reads(/^Enable swapping ·/);
    await alice.taps(enabling, "✅ Confirm");
    await alice.sees(enabling, /^✅ Enable swapping[^]*🔎 Confirmed on chain\./);
    // The node tells no balances, and no view shows a lock or roles by themselves: the step after them does, at once.
    const steps = (await alice.asks("/history")).text.match(/^\S+ (?:🚀|\S* ?Lock).*/gmu);
    expect(steps?.map((line) => line.replace(/ · .*| [0-9].*/, ""))).toEqual([
      "✅ 🚀 Enable swapping",
      "✅ Lock",
      "✅ 🚀 Add the first liquidity",
      "✅ 🚀 Set the token roles",
      "✅ 🚀 Issue the LP token",
      "✅ 🚀 Create the pair",
    ]);
    await alice.taps(enabling, "📋 Checklist");
    checklist = await alice.reads(/^Launch /);
    expect(checklist.text).toContain("🎉 Done: the pair is open.");
    expect(checklist.text).toContain("✅ 5. Lock the LP tokens · on chain");
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

  it("leaves undocumented calls to the user's wallet, and resumes after every restart", async () => {
    const { desk, alice } = await tradingDesk({}, { LAUNCH_EXTENDED: "false" });
    const before = alice.holds();
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1", /^Launch /);
    /** Restarts the bot and opens the checklist from the list of launches. */
    const resumed = async () => {
      await desk.restart();
      alice.says("/launch");
      await alice.taps(await alice.reads(/^Your launches/), "DVK-34ZH / USDT-2AB1");
      return alice.reads(/^Launch /);
    };

    await doStep(alice, checklist, "Create the pair");
    const older = checklist;
    checklist = await resumed();
    const buttonsOf = ({ messageId }: typeof older) =>
      desk.sandbox.telegram.chat(alice.id).find((each) => each.messageId === messageId)?.keyboard;
    await expect.poll(() => buttonsOf(older)).toBeUndefined();
    expect(buttonsOf(checklist)).toBeDefined();
    await doStep(alice, checklist, "Issue the LP token");
    checklist = await resumed();
    expect(checklist.text).toContain("Do this step in your wallet");
    await fromWallet(desk, checklist);
    await alice.taps(checklist, "✅ Done");
    checklist = await alice.sees(checklist, /✅ 3. Set the token roles · reported by you/);

    // A report can be withdrawn, because nothing proves it.
    await alice.taps(checklist, "↩️ Mark as not done: set the token roles");
    checklist = await alice.sees(checklist, /▶️ 3. Set the token roles/);
    await alice.taps(checklist, "✅ Done");
    checklist = await alice.sees(checklist, /reported by you/);

    await enterAmounts(alice, checklist, "▶️ Enter the amounts");
    await alice.reads(/addInitialLiquidity/);
    checklist = await resumed();
    await alice.taps(checklist, "🔄 Check");
    checklist = await alice.sees(checklist, /▶️ 4. Add the first liquidity/);
    await fromWallet(desk, checklist);
    await alice.taps(checklist, "🔄 Check");
    checklist = await alice.sees(checklist, /✅ 4. Add the first liquidity · on chain/);
    const lpToken = /LPDVKUSDT-[A-Z0-9]{4}/.exec(checklist.text)![0];

    await confirmed(alice, await lockAll(alice, checklist));
    checklist = await resumed();
    checklist = await doStep(alice, checklist, "Enable swapping");
    expect(checklist.text).toContain("🎉 Done");
    expect(changes(before, alice.holds())).toEqual({
      "DVK-34ZH": -deposit.first,
      "USDT-2AB1": -deposit.second,
      "LKTOK-1A2B/3": lpUnits,
    });
    await firstSwap(desk);
    await unlockAll(desk, alice, lpToken);
  });
});
