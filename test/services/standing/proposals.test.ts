import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { forget } from "../../../src/services/operator/forget.js";
import { pauses } from "../../../src/services/person/pause.js";
import { personIn } from "../../../src/services/person/person.js";
import { holdOrders } from "../../../src/services/standing/restored-orders.js";
import { writeSetting } from "../../../src/store/store.js";
import { alice } from "../samples.js";
import { createStandingWorld, DAY, HOUR, MINUTE, OWNER, type StandingProcess } from "./standing-world.js";

const SECOND = 1000;
const TRADE = "swap 100 KLV KFI";

async function world() {
  const made = createStandingWorld();
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const secret = await process.proposals.links.create(OWNER, "TradingView");
  const post = (trade = TRADE, more: { key?: string; at?: number; goodSeconds?: number } = {}, by = secret) =>
    process.proposals.receive(by, { trade, ...more });
  const stateOf = async (id: string, of: StandingProcess = process) => (await of.proposals.state(secret, id))?.state;
  const only = async () => (await process.proposals.links.list(OWNER))[0]!;
  return {
    made,
    process,
    secret,
    post,
    stateOf,
    only,
    pass: (milliseconds: number) => made.clock.advance(milliseconds),
  };
}

const idOf = (answer: object): string => (answer as { id: string }).id;

describe("a proposal", () => {
  it("becomes a card within a second, whose buttons act a moment after it came, and lives as long as it is good", async () => {
    const { made, process, post, stateOf, pass } = await world();
    const answer = await post(TRADE, { goodSeconds: 120 });
    expect(answer).toMatchObject({ kind: "taken" });
    expect(await stateOf(idOf(answer))).toBe("preparing");
    const from = made.clock.now();
    await pass(SECOND);
    const [card] = made.cards();
    expect(card).toMatchObject({
      owner: OWNER,
      origin: "proposal",
      proposed: { by: "TradingView", until: from + 120_000 },
    });
    const { at } = made.told[0]!;
    const kept = await process.intents.find(OWNER, card!.id);
    expect(kept).toMatchObject({ expiresAt: from + 120_000, actsFrom: at + 1500, arrived: { at, isSure: true } });
    expect(await stateOf(idOf(answer))).toBe("waiting");
    expect(await process.intents.confirm(OWNER, card!.id)).toMatchObject({ intent: { state: "OK" } });
    expect(await stateOf(idOf(answer))).toBe("done");
    await process.stop();
  });

  it("is not offered any more in data that was restored", async () => {
    const { made, process, post, stateOf, pass } = await world();
    const answer = await post(TRADE, { goodSeconds: 120 });
    await process.store.write((tx) => holdOrders({ nonceOf: undefined })(tx, made.clock.now()));
    await pass(5 * MINUTE);
    expect(made.cards()).toEqual([]);
    expect(await stateOf(idOf(answer))).toBe("expired");
    await process.stop();
  });

  it("says what became of it in a word, for seven days", async () => {
    const { made, process, secret, post, stateOf, pass } = await world();
    const ends: [string, (id: string) => Promise<unknown>][] = [
      ["canceled", (id) => process.intents.cancel(OWNER, id)],
      ["replaced", (id) => process.intents.supersede(OWNER, id)],
      ["expired", () => pass(5 * MINUTE)],
    ];
    const ids: string[] = [];
    for (const [word, end] of ends) {
      const id = idOf(await post(TRADE, { key: word }));
      ids.push(id);
      await pass(SECOND);
      await end(made.cards().at(-1)!.id);
      expect(await stateOf(id)).toBe(word);
    }
    const other = await process.proposals.links.create(OWNER, "other");
    expect(await process.proposals.state(other, ids[0]!)).toBeUndefined();
    expect(await process.proposals.state(secret, "nothing")).toBeUndefined();
    made.clock.step(7 * DAY - 6 * MINUTE);
    expect(await stateOf(ids[0]!)).toBe("canceled");
    made.clock.step(10 * MINUTE);
    expect(await stateOf(ids[0]!)).toBeUndefined();
    await process.stop();
  });

  it("acts a moment after the tap that is the first to tell that it is there, if Telegram's answer got lost", async () => {
    const { made, process, post, pass } = await world();
    made.telegram = { kind: "hangs", takes: true };
    await post();
    await pass(10 * SECOND);
    const { id } = made.cards()[0]!;
    expect(await process.intents.find(OWNER, id)).toMatchObject({ arrived: { isSure: false } });
    // What a tap on it notes.
    const noted = { kind: "sent", messageId: 7 } as const;
    await process.store.write((tx) => process.intents.noteCardSending(tx, { owner: OWNER, id }, noted));
    const now = made.clock.now();
    const card = await process.intents.find(OWNER, id);
    expect(card).toMatchObject({ messageId: 7, arrived: { at: now, isSure: true }, actsFrom: now + 1500 });
    made.telegram = { kind: "well" };
    await pass(2 * MINUTE);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it.each([0, 3, 5])(
    "whose card ends just as it is about to be sent has the next one sent alone (%i)",
    async (late) => {
      const { made, process, post, pass } = await world();
      made.telegram = { kind: "holds", seconds: 58 };
      await post(TRADE, { goodSeconds: 300 });
      while (made.attempts === 0) await pass(100);
      const tried = made.clock.now();
      await pass(57 * SECOND);
      made.telegram = { kind: "well" };
      const { store } = process;
      const { write } = store;
      const slow: typeof write = async (work) => {
        if (made.clock.now() < tried + 59 * SECOND) await made.clock.sleep(late * SECOND);
        return write(work);
      };
      Object.assign(store, { write: slow });
      await pass(2 * MINUTE);
      expect(made.told).toHaveLength(1);
      await process.stop();
    },
  );

  it("comes silently in quiet hours", async () => {
    const { made, process, post, pass } = await world();
    await post();
    await pass(SECOND);
    await made.person(process, (person) => ({
      ...person,
      alerts: { modes: {}, quiet: { from: "08:00", to: "10:00" } },
    }));
    await post(TRADE, { key: "quiet" });
    await pass(SECOND);
    expect(made.told.map(({ isSilent }) => isSilent)).toEqual([false, true]);
    await process.stop();
  });

  it("whose card can't be paid looks to its link's holder like one that nobody taps, and counts", async () => {
    const { made, process, post, stateOf, only, pass } = await world();
    made.holdings = { KLV: 1n };
    const id = idOf(await post());
    await pass(SECOND);
    expect(made.cards()).toEqual([]);
    expect(await stateOf(id)).toBe("waiting");
    expect(await only()).toMatchObject({ came: 1, unmade: 1 });
    await pass(5 * MINUTE);
    expect(await stateOf(id)).toBe("expired");
    await process.stop();
  });

  it("is asked for again while a service doesn't answer, and refused with the reason of its market", async () => {
    const { made, process, post, stateOf, pass } = await world();
    made.fault = new Fault("service-timeout", { service: "quotation" });
    const id = idOf(await post());
    await pass(25 * SECOND);
    expect(await stateOf(id)).toBe("preparing");
    made.fault = undefined;
    await pass(10 * SECOND);
    expect(await stateOf(id)).toBe("waiting");
    made.fault = new Fault("quote-none", { from: "KLV", to: "KFI" });
    const refused = idOf(await post(TRADE, { key: "none" }));
    await pass(SECOND);
    expect(await process.proposals.state(await freshSecret(process), refused)).toBeUndefined();
    expect(await stateOf(refused)).toBe("refused");
    await process.stop();
  });
});

const freshSecret = (process: StandingProcess) => process.proposals.links.create(OWNER, "fresh");

describe("a repetition", () => {
  it("without an id is the same words within a minute", async () => {
    const { made, process, post, pass } = await world();
    const first = idOf(await post());
    await pass(59 * SECOND);
    expect(await post()).toEqual({ kind: "repeated", id: first });
    await pass(2 * SECOND);
    expect(await post()).toMatchObject({ kind: "taken" });
    await pass(SECOND);
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it("with an id is known for seven days, and isn't other words", async () => {
    const { made, process, post } = await world();
    const first = idOf(await post(TRADE, { key: "a" }));
    made.clock.step(7 * DAY - MINUTE);
    expect(await post(TRADE, { key: "a" })).toEqual({ kind: "repeated", id: first });
    expect(await post("swap 101 KLV KFI", { key: "a" })).toEqual({ kind: "id-used" });
    made.clock.step(2 * MINUTE);
    expect(await post("swap 101 KLV KFI", { key: "a" })).toMatchObject({ kind: "taken" });
    await process.stop();
  });

  it.each([undefined, "a"])("fifty times at once is one card (id %s)", async (key) => {
    const { made, process, post, pass } = await world();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post(TRADE, { ...(key !== undefined && { key }) })),
    );
    expect(answers.filter(({ kind }) => kind === "taken")).toHaveLength(1);
    expect(new Set(answers.map(idOf)).size).toBe(1);
    await pass(SECOND);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });
});

it("killed after any of its writes, there is exactly one card, and the same answer", async () => {
  for (let writes = 1; writes <= 8; writes += 1) {
    const { made, process: first, secret, pass } = await world();
    let left = writes;
    first.store.afterWrite = async () => {
      left -= 1;
      if (left !== 0) return;
      first.kill();
      await new Promise(() => undefined);
    };
    void first.proposals.receive(secret, { trade: TRADE, key: "a" });
    await pass(5 * SECOND);
    if (first.isAlive()) first.kill();
    const process = made.start();
    await process.intents.recover();
    const again = await process.proposals.receive(secret, { trade: TRADE, key: "a" });
    expect(again, `${writes}`).toMatchObject({ kind: "repeated" });
    await pass(90 * SECOND);
    expect(new Set(made.cards().map(({ id }) => id)).size, `${writes}`).toBe(1);
    expect((await process.proposals.state(secret, idOf(again)))?.state, `${writes}`).toBe("waiting");
    await process.stop();
  }
});

describe("what comes too late", () => {
  it("is refused and counted, from when it was decided; the future counts as now", async () => {
    const { made, process, post, only } = await world();
    const now = made.clock.now();
    expect(await post(TRADE, { at: now - 300 * SECOND })).toEqual({ kind: "stale" });
    expect(await post(TRADE, { at: now - 61 * SECOND, goodSeconds: 60 })).toEqual({ kind: "stale" });
    expect(await only()).toMatchObject({ late: 2, came: 0 });
    await post(TRADE, { at: now + HOUR });
    await made.clock.advance(SECOND);
    expect(made.cards()[0]!.proposed!.until).toBe(now + 300 * SECOND);
    await process.stop();
  });

  it("has no card once it is stale: killed meanwhile, while Telegram is away, or with the clock set ahead", async () => {
    for (const kind of ["killed", "away", "ahead"] as const) {
      const { made, process: first, secret, post, pass } = await world();
      if (kind === "away") made.telegram = { kind: "refuses" };
      if (kind === "ahead") made.fault = new Fault("service-timeout", { service: "quotation" });
      if (kind === "killed")
        first.store.afterWrite = async () => {
          first.kill();
        };
      const answer = post().catch(() => undefined);
      if (kind !== "killed") expect(await answer).toMatchObject({ kind: "taken" });
      if (kind === "ahead") made.clock.step(DAY);
      await pass(6 * MINUTE);
      made.telegram = { kind: "well" };
      made.fault = undefined;
      const process = kind === "killed" ? made.start() : first;
      await pass(MINUTE);
      expect(made.cards(), kind).toEqual([]);
      const [row] = await process.store.db.selectFrom("proposals").select("id").execute();
      expect(await process.proposals.state(secret, row!.id), kind).toEqual({ state: "expired" });
      await process.stop();
    }
  });

  it("isn't one whose card Telegram didn't take: a fresh one comes while it is good", async () => {
    const { made, process, post, stateOf, pass } = await world();
    made.telegram = { kind: "refuses" };
    const id = idOf(await post());
    await pass(2 * MINUTE);
    made.telegram = { kind: "well" };
    await pass(90 * SECOND);
    expect(made.cards()).toHaveLength(1);
    expect(await stateOf(id)).toBe("waiting");
    await process.stop();
  });

  it("with the clock set back by a day, is no repetition of what was before, nor waits for it", async () => {
    const { made, process, post, pass } = await world();
    made.holdings = { KLV: 1n };
    for (let at = 1; at <= 5; at += 1) await post(`swap ${at} KLV KFI`);
    await pass(2 * MINUTE);
    made.clock.step(-DAY);
    expect(await post("swap 1 KLV KFI")).toMatchObject({ kind: "taken" });
    await process.stop();
  });

  it("isn't tried while Telegram is away, so that none is in doubt", async () => {
    const { made, process, post, pass } = await world();
    made.telegram = { kind: "loses" };
    await post();
    await pass(15 * SECOND);
    const { attempts } = made;
    await post("swap 7 KLV KFI");
    await pass(MINUTE);
    expect(made.attempts).toBe(attempts);
    made.telegram = { kind: "well" };
    await pass(30 * SECOND);
    expect(
      made.cards().filter(({ terms }) => "pay" in terms.request && terms.request.pay.units === 7_000_000n),
    ).toHaveLength(1);
    await process.stop();
  });

  it("with the clock set back by a day, lives no longer than any card", async () => {
    const { made, process, post, pass } = await world();
    await post();
    made.clock.step(-DAY);
    await pass(2 * SECOND);
    const [card] = made.cards();
    expect((await process.intents.find(OWNER, card!.id))!.expiresAt).toBeLessThanOrEqual(
      made.clock.now() + 10 * MINUTE,
    );
    await pass(10 * MINUTE);
    expect(await process.intents.find(OWNER, card!.id)).toMatchObject({ state: "EXPIRED" });
    await process.stop();
  });
});

describe("a person's bounds", () => {
  it("hold over several links: 300 posts by two of them make as many cards as may wait", async () => {
    const { made, process, secret, post, pass } = await world();
    const second = await process.proposals.links.create(OWNER, "script");
    const answers: { readonly kind: string }[] = [];
    for (let at = 0; at < 300; at += 1) {
      answers.push(await post(`swap ${at + 1} KLV KFI`, {}, at % 2 === 0 ? secret : second));
      await pass(20);
    }
    const count = (kind: string) => answers.filter((answer) => answer.kind === kind).length;
    expect([count("taken"), count("too-many-waiting") > 0, count("too-often") > 280]).toEqual([5, true, true]);
    await pass(SECOND);
    expect(made.cards()).toHaveLength(5);
    // What is known is never one too many.
    expect(await post("swap 1 KLV KFI")).toMatchObject({ kind: "repeated" });
    await pass(5 * MINUTE);
    expect(await post("swap 7 KLV KFI")).toMatchObject({ kind: "taken" });
    await process.stop();
  });

  it("quotes within the budget of watched prices", async () => {
    const { made, process, pass } = await world();
    for (let user = 1; user <= 20; user += 1) {
      await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), OWNER + user);
      const secret = await process.proposals.links.create(OWNER + user, "script");
      await process.proposals.receive(secret, { trade: TRADE });
    }
    await pass(4 * SECOND);
    // Two a second.
    expect(made.asked.length).toBeGreaterThanOrEqual(7);
    expect(made.asked.length).toBeLessThanOrEqual(10);
    await pass(8 * SECOND);
    expect(made.asked).toHaveLength(20);
    await process.stop();
  });

  it("are ten links, and one of a name", async () => {
    const { made, process, secret, post, pass } = await world();
    const { links } = process.proposals;
    await post();
    await expect(links.create(OWNER, "tradingview")).rejects.toMatchObject({ code: "link-named" });
    const unused = await links.create(OWNER, "script");
    // The answer with the secret may have got lost.
    const again = await links.create(OWNER, "script");
    expect(await process.proposals.receive(unused, { trade: TRADE })).toEqual({ kind: "unknown" });
    expect(await process.proposals.receive(again, { trade: TRADE, key: "b" })).toMatchObject({ kind: "taken" });
    for (let more = 0; more < 8; more += 1) await links.create(OWNER, `link ${more}`);
    await expect(links.create(OWNER, "one more")).rejects.toMatchObject({ code: "link-full" });
    const other = made.start().proposals.links;
    expect([other.isKnown(secret), links.isKnown(secret)]).toEqual([undefined, true]);
    await pass(0);
    expect([other.isKnown(secret), other.isKnown("A".repeat(43))]).toEqual([true, false]);
    await process.stop();
  });
});

describe("what isn't to come", () => {
  it("is refused alike while the link, its owner or the operators have paused, or its owner is away", async () => {
    const { made, process, post, only, pass } = await world();
    const { id } = await only();
    const person = (change: object) => made.person(process, (before) => ({ ...before, ...change }));
    const { links } = process.proposals;
    const refused = async (begin: () => Promise<unknown>, end: () => Promise<unknown>) => {
      await begin();
      expect(await post()).toEqual({ kind: "not-now" });
      await end();
      await pass(10 * SECOND);
    };
    await refused(
      () => links.pause(OWNER, id, true),
      () => links.pause(OWNER, id, false),
    );
    await refused(
      () => person({ frozenSince: 1 }),
      () => person({ frozenSince: undefined }),
    );
    await refused(
      () => person({ restingSince: 1 }),
      () => person({ restingSince: undefined }),
    );
    const pause = (value: { since: number; reason: string } | null) =>
      process.store.write((tx) => writeSetting(tx, pauses, value));
    await refused(
      () => pause({ since: 1, reason: "work" }),
      () => pause(null),
    );
    await refused(
      () => person({ wallet: undefined }),
      () => person({ wallet: { address: alice, since: 0 } }),
    );
    expect(await only()).toMatchObject({ came: 0, unread: 0, late: 0 });
    expect(await post()).toMatchObject({ kind: "taken" });
    await process.stop();
  });

  it("has no card if its owner froze trading, or paused or deleted the link, after it was taken", async () => {
    for (const between of ["freeze", "pause", "delete"] as const) {
      const { made, process, secret, post, only, pass } = await world();
      made.fault = new Fault("service-timeout", { service: "quotation" });
      const id = idOf(await post());
      await pass(SECOND);
      const link = await only();
      if (between === "freeze") await made.person(process, (person) => ({ ...person, frozenSince: 1 }));
      if (between === "pause") await process.proposals.links.pause(OWNER, link.id, true);
      if (between === "delete") await process.proposals.links.remove(OWNER, link.id);
      made.fault = undefined;
      await pass(MINUTE);
      expect(made.cards(), between).toEqual([]);
      const state = await process.proposals.state(secret, id);
      expect(state, between).toEqual(between === "delete" ? undefined : { state: "refused", reason: "not-now" });
      if (between === "delete") expect(await post()).toEqual({ kind: "unknown" });
      await process.stop();
    }
  });

  it("leaves nothing of somebody who is forgotten while its card is made, and no trace in what they traded last", async () => {
    const { made, process, post, pass } = await world();
    await post();
    await pass(SECOND);
    expect((await personIn(process.store.db, OWNER)).recentTokens).toEqual([]);
    made.fault = new Fault("service-timeout", { service: "quotation" });
    await post("swap 2 KLV KFI");
    await pass(SECOND);
    expect(await forget(process.store, OWNER, made.clock.now())).toBe("forgotten");
    made.fault = undefined;
    await pass(MINUTE);
    for (const table of ["users", "intents", "proposals", "proposal_links", "outbox"] as const)
      expect(await process.store.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it("is unknown from somebody without access", async () => {
    const { made, process, post } = await world();
    made.strangers.add(OWNER);
    expect(await post()).toEqual({ kind: "unknown" });
    await process.stop();
  });

  it("can't be confirmed while its owner has frozen trading", async () => {
    const { made, process, post, pass } = await world();
    await post();
    await pass(2 * SECOND);
    await made.person(process, (person) => ({ ...person, frozenSince: 1 }));
    expect(await process.intents.confirm(OWNER, made.cards()[0]!.id)).toMatchObject({
      kind: "refused",
      fault: { code: "frozen" },
    });
    await process.stop();
  });
});

it("takes nothing it can't read, says why in codes, and counts it", async () => {
  const { process, post, only } = await world();
  expect(await post("buy 100 KLV KFI")).toEqual({
    kind: "unclear",
    lines: ["multihop any KFI KLV=100", "swap 100 KLV KFI"],
  });
  expect(await post("URGENT verify at t.me/thief")).toEqual({ kind: "no-trade", faults: ["unreadable"] });
  expect(await post("swap 1 KLV t.me/thief")).toEqual({ kind: "no-trade", faults: ["token-unknown"] });
  expect(await only()).toMatchObject({ unread: 3, came: 0, last_at: null });
  const rows = await process.store.db.selectFrom("proposals").selectAll().execute();
  expect(rows).toEqual([]);
  await process.stop();
});
