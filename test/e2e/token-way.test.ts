import { describe, expect, it } from "vitest";
import { withIssuers } from "../../sandbox/issuers.js";
import { issued, type WorldJson } from "../../sandbox/world.js";
import { asRead } from "../support/as-read.js";
import { callsOf, depositCardOf, doStep, enterAmounts } from "../support/launch-chat.js";
import { defaultWorld, labelsOf, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";

const club = "CLUB-9C4M";
const base = withIssuers(defaultWorld);
const pair = base.pairs!.find(({ secondToken }) => secondToken === club)!.address;
const [router, referral, lock] = [base.router.address, base.referral.address, base.simpleLock.address];
const account = base.accounts!.find(({ name }) => name === "Alice")!.address;
/** `s`: it may send, `r`: it may receive. */
const rolesOf = (roles: Readonly<Record<string, string>>) =>
  Object.entries(roles).map(([Address, may]) => ({
    ...{ Address, HasRoleTransfer: may.includes("s"), HasRoleDeposit: may.includes("r") },
  }));
const worldWith = (roles: Readonly<Record<string, string>>): WorldJson => ({
  ...base,
  issued: { ...base.issued, [club]: { ...base.issued![club]!, Roles: rolesOf(roles) } },
});
const begin = async (roles: Readonly<Record<string, string>>) => {
  const desk = await sandboxDesk({ world: worldWith(roles) });
  return { desk, alice: await desk.trader() };
};

const fromAccount = (to: string) => `${club} can be bought but not sold: it can't get from your account to ${to}`;
const notTaken = `${club} can be bought but not sold: only addresses that its issuer approves may receive it`;

describe("a token that comes out and doesn't go back is refused, whoever of those between makes it so", () => {
  it.each([
    [
      "the contracts may only send",
      { [pair]: "sr", [router]: "s", [referral]: "s" },
      { swap: fromAccount("the referral contract"), multihop: fromAccount("the router") },
    ],
    [
      "the account may send and receive, the pair only send",
      { [pair]: "s", [account]: "sr" },
      { swap: notTaken, multihop: notTaken },
    ],
    [
      "only the router may receive",
      { [pair]: "sr", [router]: "sr", [referral]: "s" },
      { swap: fromAccount("the referral contract"), multihop: undefined },
    ],
    [
      "the contracts may do both",
      { [pair]: "sr", [router]: "sr", [referral]: "sr" },
      { swap: undefined, multihop: undefined },
    ],
  ] as const)("%s", async (_name, roles, refusals) => {
    const { desk, alice } = await begin(roles);
    for (const kind of ["swap", "multihop"] as const) {
      const card = await alice.asks(`/${kind} 100 KLV ${club}`, /./);
      const refusal = refusals[kind];
      if (refusal !== undefined) {
        expect([kind, asRead(card.text)]).toEqual([kind, expect.stringContaining(refusal)]);
        expect(labelsOf(card).filter((label) => /Confirm|anyway/.test(label))).toEqual([]);
        continue;
      }
      // What isn't refused is sold again the same way.
      await alice.confirms(card, /completed/);
      await alice.confirms(await alice.asks(`/${kind} max ${club} KLV`, /You get/), /completed/);
      expect(desk.balancesOf("Alice")[club] ?? 0n).toBe(0n);
    }
    const limit = await alice.asks(`/limit 100 KLV ${club} for 6`, /./);
    expect(labelsOf(limit).includes("👍 Set this order")).toBe(refusals.swap === undefined);
  });
});

it("is asked about once more, by the contract's name, if only the order of the contracts could close it", async () => {
  const { desk, alice } = await begin({ [pair]: "sr", [router]: "r", [referral]: "r", [account]: "r" });
  const card = await alice.asks(`/swap 100 KLV ${club}`, /./);
  expect(asRead(card.text)).toMatch(new RegExp(`^⚠️ ${club} may be impossible to buy\n`));
  expect(asRead(card.text)).toMatch(
    `The issuer of ${club} lets neither the referral contract send it nor the account that gets the bot fee receive it.`,
  );
  expect(labelsOf(card).filter((label) => /Confirm/.test(label))).toEqual([]);
  await alice.taps(card, "⚠️ Try anyway");
  await alice.sees(card, /You get at least/);
  // Nor do a quote, an order to set and the token's card hide it.
  for (const line of [`/quote 100 KLV ${club}`, club, `/limit 100 KLV ${club} for 6`]) {
    expect([line, asRead((await alice.asks(line)).text)]).toEqual([line, expect.stringMatching(/impossible to buy/)]);
  }
  // What comes to be known before the tap is asked about, too: with this, it can be bought, and no more.
  const before = desk.sandbox.chain.state.issued.get(club)!;
  const roles = rolesOf({ [pair]: "s", [router]: "r", [referral]: "sr", [account]: "r" });
  desk.sandbox.chain.issue(club, { ...before, Roles: roles as never });
  await alice.taps(card, "✅ Confirm");
  const again = await alice.sees(
    card,
    new RegExp(`${club} may be impossible to sell again[^]*neither the router send it nor KLV/${club}`),
  );
  expect(labelsOf(again)).toContain("⚠️ Buy anyway");
  expect(desk.callsSent().filter(({ value }) => value !== undefined && value !== "")).toEqual([]);
});

describe("a launch's first deposit", () => {
  it("is refused if its pair couldn't give it back, on the checklist and at the tap, and asked about if that can't be read", async () => {
    const desk = await sandboxDesk();
    const alice = await desk.trader();
    const steps = ["Create the pair", "Issue the LP token", "Set the token roles"];
    let checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1 LPDVKUSDT", /^Launch /);
    for (const step of steps) checklist = await doStep(alice, checklist, step);
    await enterAmounts(alice, checklist, "▶️ Add the first liquidity");
    const card = await depositCardOf(alice);
    const address = /klv1[a-z0-9]{58}/.exec(checklist.text)![0];
    const limited = (may: string) =>
      desk.sandbox.chain.issue(
        "DVK-34ZH",
        issued.parse({ OwnerAddress: pair, Properties: { LimitTransfer: true }, Roles: rolesOf({ [address]: may }) }),
      );
    limited("r");
    const stuck = /DVK-34ZH wouldn't come out again: it can't get from DVK-34ZH\/USDT-2AB1 to your account/;
    expect(asRead((await alice.confirms(card, /Not sent/)).text)).toMatch(stuck);
    const list = await alice.asks("/launch DVK-34ZH USDT-2AB1 LPDVKUSDT", /^Launch /);
    expect(asRead(list.text)).toMatch(stuck);
    expect(labelsOf(list)).not.toContain("▶️ Add the first liquidity");
    expect(callsOf(desk).map(({ funcName }) => funcName)).not.toContain("addInitialLiquidity");
    desk.sandbox.faults.set("assets", "5xx");
    await desk.restart();
    const again = await alice.asks("/launch DVK-34ZH USDT-2AB1 LPDVKUSDT", /^Launch /);
    await alice.taps(again, "▶️ Add the first liquidity");
    await alice.reads(/^How much DVK-34ZH/);
    alice.says("1000");
    await alice.reads(/^How much USDT-2AB1/);
    alice.says("20");
    const unread = await alice.reads(/^Add the first liquidity/);
    expect(asRead(unread.text)).toMatch(
      /I can't check whether the issuer of DVK-34ZH, USDT-2AB1 lets it come out again/,
    );
    expect(labelsOf(unread).filter((label) => /Confirm/.test(label))).toEqual([]);
    limited("sr");
    desk.sandbox.faults.set("assets", undefined);
    await alice.taps(unread, "⚠️ Keep these amounts");
    await alice.confirms(await alice.sees(unread, /You pay: 1,000 DVK-34ZH/), /^(?:☑️|✅)/);
  });
});

describe("what is locked", () => {
  it("is refused if it couldn't come out again, at the card and at the tap, and locked if it can", async () => {
    const both = { [pair]: "sr", [router]: "sr", [referral]: "sr" };
    const { desk, alice } = await begin({ ...both, [lock]: "sr" });
    await alice.confirms(await alice.asks(`/swap 100 KLV ${club}`, /You get/), /completed/);
    await alice.confirms(await alice.asks(`/lock 1 ${club} 1d`, /You lock/), /Locked/);
    const shown = await alice.asks(`/lock 1 ${club} 1d`, /You lock/);
    const before = desk.sandbox.chain.state.issued.get(club)!;
    desk.sandbox.chain.issue(club, { ...before, Roles: rolesOf({ ...both, [lock]: "r" }) as never });
    const stuck = /CLUB-9C4M wouldn't come out again: it can't get from the lock contract to your account/;
    const ended = await alice.confirms(shown, /Not sent/);
    expect(asRead(ended.text)).toMatch(stuck);
    const next = await alice.asks(`/lock 1 ${club} 1d`);
    expect(asRead(next.text)).toMatch(stuck);
    expect(labelsOf(next)).toEqual([]);
    await speaksPortuguese(alice);
    expect(asRead((await alice.asks(`/lock 1 ${club} 1d`)).text)).toMatch(/CLUB-9C4M não sairia mais de lá/);
  });

  it("is asked about once more if that can't be read", async () => {
    const held = base.accounts!.map((each) => ({ ...each, balances: { ...each.balances, [club]: "1000000" } }));
    const desk = await sandboxDesk({ world: { ...worldWith({ [lock]: "sr" }), accounts: held } });
    const alice = await desk.trader();
    desk.sandbox.faults.set("assets", "5xx");
    const card = await alice.asks(`/lock 1 ${club} 1d`);
    expect(asRead(card.text)).toMatch(/I can't check whether the issuer of CLUB-9C4M lets it come out again/);
    expect(labelsOf(card).filter((label) => /Confirm/.test(label))).toEqual([]);
    // What belongs to the chain itself needs no issuer's word.
    expect(asRead((await alice.asks("/lock 1 KFI 1d")).text)).not.toMatch(/issuer/);
  });
});
