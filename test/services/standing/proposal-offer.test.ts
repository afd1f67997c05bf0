import { describe, expect, it } from "vitest";
import type { Token } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { changeProposal, endAllProposals, proposalById } from "../../../src/services/standing/proposal-queries.js";
import type { Transaction } from "../../../src/store/store.js";
import type { CardSending } from "../../../src/services/intent/card-sending.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import { proposalTopic } from "../../../src/services/standing/proposal-offer.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { rightsWith } from "../market/rights-samples.js";
import { alice, kfi, klv, person } from "../samples.js";
import { createStandingWorld, DAY, MINUTE, NOW, OWNER } from "./standing-world.js";

const SECOND = 1000;
const TRADE = "swap 100 KLV KFI";

const gem: Token = { id: "GEM-5D0X", name: "GEM", precision: 6, kind: "fungible" };

/** A link's owner, whose trades a program proposes. */
async function world() {
  const made = createStandingWorld();
  made.tokens = tokenListOf([klv, kfi, gem]);
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const secret = await process.proposals.links.create(OWNER, "TradingView");
  const post = async (trade = TRADE, more: { key?: string; at?: number; goodSeconds?: number } = {}) =>
    (await process.proposals.receive(secret, { trade, ...more })) as { readonly kind: string; readonly id: string };
  const rowOf = async (id: string) => (await proposalById(process.store.db, id))!;
  return {
    ...{ made, process, post, rowOf },
    stateOf: (id: string) => process.proposals.state(secret, id),
    pass: (milliseconds: number) => made.clock.advance(milliseconds),
    /** The card that was made last, whether it arrived or not. */
    cardOf: async (id: string) => (await process.intents.find(OWNER, (await rowOf(id)).card ?? ""))!,
    only: async () => (await process.proposals.links.list(OWNER))[0]!,
    /** Does something while a card's price is asked for, between the first look at a proposal and its card. */
    meanwhile: (work: () => unknown) => {
      const { price } = made;
      made.price = (...asked) => {
        made.price = price;
        void work();
        return price(...asked);
      };
    },
  };
}

describe("a card that hasn't arrived", () => {
  it("is made again after its minute, as long as the proposal is good, and then no more", async () => {
    const { made, process, post, stateOf, cardOf, pass } = await world();
    made.telegram = { kind: "refuses" };
    const { id } = await post(TRADE, { goodSeconds: 100 });
    await pass(SECOND);
    const first = await cardOf(id);
    expect(first.expiresAt).toBeLessThanOrEqual(made.clock.now() + MINUTE);
    for (let time = 0; time < 90; time += 1) {
      await pass(SECOND);
      expect(["preparing", "waiting"]).toContain((await stateOf(id))?.state);
    }
    expect(await process.intents.find(OWNER, first.id)).toMatchObject({ state: "EXPIRED" });
    expect((await cardOf(id)).id).not.toBe(first.id);
    await pass(MINUTE);
    expect(await stateOf(id)).toEqual({ state: "expired" });
    made.telegram = { kind: "well" };
    await pass(2 * MINUTE);
    expect(made.cards()).toEqual([]);
    await process.stop();
  });

  it.each(["cancel", "supersede"] as const)("is neither sent nor made again after a %s", async (end) => {
    const { made, process, post, cardOf, pass } = await world();
    made.telegram = { kind: "refuses" };
    const { id } = await post();
    await pass(SECOND);
    await process.intents[end](OWNER, (await cardOf(id)).id);
    made.telegram = { kind: "well" };
    await pass(3 * MINUTE);
    expect(made.cards()).toEqual([]);
    await process.stop();
  });

  it("may have: it lives on from the first attempt, and says so itself, whatever further attempts do", async () => {
    const { made, process, post, cardOf, pass } = await world();
    made.telegram = { kind: "hangs" };
    const from = made.clock.now();
    const { id } = await post(TRADE, { goodSeconds: 590 });
    await pass(SECOND);
    const begun = await cardOf(id);
    expect(begun).toMatchObject({ arrived: { isSure: false }, expiresAt: from + 590 * SECOND });
    await pass(65 * SECOND);
    made.telegram = { kind: "well" };
    await pass(30 * SECOND);
    const [sent] = made.cards();
    expect(sent).toMatchObject({ id: begun.id, expiresAt: from + 590 * SECOND });
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });
});

describe("the message of a card", () => {
  /** What is sent of a card with these fields, a minute before it ends. */
  async function rendered(fields: Partial<Intent> = {}) {
    const { db, write } = createMemoryDisk().open();
    const clock = createVirtualClock(NOW);
    const noted: CardSending[] = [];
    const proposed = { link: "link", by: "TradingView", until: NOW + 5 * MINUTE };
    const card = { ...intent(swapTerms), id: "card", proposed, expiresAt: NOW + MINUTE, ...fields };
    const times = { at: NOW, good_until: proposed.until, due_at: null };
    const row = {
      id: "p",
      link: "link",
      user_id: card.owner,
      key: null,
      words: "",
      trade: TRADE,
      card: "card",
      reason: null,
    };
    await write(async (tx) => {
      await insertIntent(tx, card);
      await tx
        .insertInto("proposals")
        .values({ ...row, ...times })
        .execute();
    });
    const { render } = proposalTopic({
      clock,
      noteCardSending: async (_tx, _card, sending) => void noted.push(sending),
    });
    const due = await render(db, { userId: card.owner, subject: "p" } as never, person());
    return { clock, noted, due, write, dueAt: async () => (await proposalById(db, "p"))!.due_at };
  }

  it("is none once it has ended, is closed or was sent", async () => {
    expect((await rendered()).due?.message).toMatchObject({ id: "card", expiresAt: NOW + 5 * MINUTE });
    expect((await rendered({ expiresAt: NOW + 1 })).due).toBeDefined();
    expect((await rendered({ expiresAt: NOW })).due).toBeUndefined();
    expect((await rendered({ state: "CANCELED" })).due).toBeUndefined();
    expect((await rendered({ messageId: 7 })).due).toBeUndefined();
  });

  it("counts from its first attempt, is looked after again if that sent nothing, and no more once it was sent", async () => {
    const { clock, noted, due, write, dueAt } = await rendered();
    await write((tx) => due!.onBegin!(tx));
    await write((tx) => due!.onNotSent!(tx));
    expect(await dueAt()).toBe(clock.now() + SECOND);
    await write((tx) => due!.onSent!(tx, NOW, 9));
    expect(await dueAt()).toBeNull();
    expect(noted).toEqual([{ kind: "begun" }, { kind: "not-sent" }, { kind: "sent", messageId: 9 }]);
    // Nobody knows whether it has arrived: a further attempt says no more of that.
    const again = (await rendered({ arrived: { at: NOW, isSure: false } })).due;
    expect([again?.onBegin, again?.onNotSent]).toEqual([undefined, undefined]);
  });
});

describe("between the first look at a proposal and its card", () => {
  const between = async (work: (world: Awaited<ReturnType<typeof arranged>>, id: string) => unknown) => {
    const made = await arranged();
    made.meanwhile(() => work(made, made.id()));
    const { id } = await made.post();
    made.setId(id);
    await made.pass(5 * SECOND);
    const found = { ...(await made.stateOf(id)), cards: made.made.cards().length, counts: await made.only() };
    await made.process.stop();
    return found;
  };
  const arranged = async () => {
    let id = "";
    return { ...(await world()), id: () => id, setId: (given: string) => void (id = given) };
  };
  const write = ({ process }: Awaited<ReturnType<typeof arranged>>, work: (tx: Transaction) => Promise<unknown>) =>
    process.store.write(work);

  it("it may become too old", async () => {
    expect(await between(({ made }) => made.clock.step(DAY))).toMatchObject({
      ...{ state: "expired", cards: 0 },
      counts: { late: 1, unmade: 0 },
    });
  });

  it("its owner may freeze trading", async () => {
    const frozen = await between(({ made, process }) =>
      made.person(process, (person) => ({ ...person, frozenSince: 1 })),
    );
    expect(frozen).toMatchObject({ state: "refused", reason: "not-now", cards: 0, counts: { late: 0, unmade: 1 } });
  });

  it("its data may be restored, or another card be made", async () => {
    expect(await between((made) => write(made, endAllProposals))).toMatchObject({ state: "expired", cards: 0 });
    const other = await between((made, id) => write(made, (tx) => changeProposal(tx, id, { card: "other" })));
    expect(other.cards).toBe(0);
  });
});

describe("a proposal", () => {
  it("is refused to somebody who has no access any more", async () => {
    const { made, process, post, stateOf, rowOf, pass } = await world();
    made.fault = new Fault("service-timeout", { service: "quotation" });
    const { id } = await post();
    await pass(SECOND);
    made.strangers.add(OWNER);
    made.fault = undefined;
    await pass(MINUTE);
    expect(made.cards()).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ reason: "not-now", due_at: null });
    expect(await stateOf(id)).toBeUndefined();
    await process.stop();
  });

  it("isn't refused for what the store says, but asked for again", async () => {
    const { made, process, post, stateOf, pass } = await world();
    made.fault = new Fault("store-lost", { directory: "" });
    const { id } = await post();
    await pass(SECOND);
    expect(await stateOf(id)).toEqual({ state: "preparing" });
    made.fault = undefined;
    await pass(MINUTE);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });

  it("is refused for what couldn't be sold again for more than its issuer takes, with that reason", async () => {
    const { made, process, post, stateOf, pass } = await world();
    made.rights = rightsWith(gem.id, [], 10n ** 18n);
    const { id } = await post("swap 100 KLV GEM");
    await pass(SECOND);
    expect(await stateOf(id)).toEqual({ state: "refused", reason: "token-royalty" });
    expect(made.cards()).toEqual([]);
    await process.stop();
  });

  it("ends when it is too old, though a service doesn't answer, and counts as late", async () => {
    const { made, process, post, stateOf, only, pass } = await world();
    made.fault = new Fault("service-timeout", { service: "quotation" });
    const { id } = await post(TRADE, { goodSeconds: 15 });
    await pass(15 * SECOND);
    expect(await stateOf(id)).toEqual({ state: "expired" });
    expect(await only()).toMatchObject({ came: 1, late: 1, unmade: 0 });
    await process.stop();
  });

  it("that was refused for its owner's account counts as waiting, also after a card that never arrived", async () => {
    const { made, process, post, stateOf, rowOf, pass } = await world();
    made.telegram = { kind: "refuses" };
    const { id } = await post();
    await pass(SECOND);
    made.holdings = { KLV: 1n };
    await pass(90 * SECOND);
    expect(await rowOf(id)).toMatchObject({ reason: "private", card: null, due_at: null });
    expect(await stateOf(id)).toEqual({ state: "waiting" });
    await process.stop();
  });

  it("says of its call what is known: unknown, then done once a check has shown it", async () => {
    const { made, process, post, stateOf, pass } = await world();
    made.outcome = () => ({ kind: "unknown", fault: new Fault("service-timeout", { service: "node" }) });
    const { id } = await post();
    await pass(2 * SECOND);
    const [card] = made.cards();
    await process.intents.confirm(OWNER, card!.id);
    expect(await stateOf(id)).toEqual({ state: "unknown" });
    const call = (await process.intents.find(OWNER, card!.id))!;
    await process.intents.markChecked(call, { at: made.clock.now(), by: "balances", finding: "arrived" });
    expect(await stateOf(id)).toEqual({ state: "done" });
    await process.stop();
  });

  it("is over once its card is deleted, as old ones that spent nothing are", async () => {
    const { made, process, post, stateOf, pass } = await world();
    const { id } = await post();
    await pass(SECOND);
    await process.store.write((tx) => tx.deleteFrom("intents").where("id", "=", made.cards()[0]!.id).execute());
    expect(await stateOf(id)).toEqual({ state: "expired" });
    await process.stop();
  });
});

describe("a post", () => {
  it("is good from when it was decided", async () => {
    const { made, process, post, pass, rowOf } = await world();
    const now = made.clock.now();
    const { id } = await post(TRADE, { at: now - 100 * SECOND, goodSeconds: 250 });
    await pass(SECOND);
    expect(await rowOf(id)).toMatchObject({ at: now, good_until: now + 150 * SECOND });
    expect(made.cards()[0]?.proposed?.until).toBe(now + 150 * SECOND);
    await process.stop();
  });

  it("is one too many after a thousand in a week, and is counted for nothing", async () => {
    const { made, process, post, only } = await world();
    const { id: link } = await only();
    await process.store.write(async (tx) => {
      for (let at = 0; at < 999; at += 1) {
        const row = {
          id: `old-${at}`,
          link,
          user_id: OWNER,
          key: null,
          words: `${at}`,
          trade: "",
          at: made.clock.now(),
        };
        await tx
          .insertInto("proposals")
          .values({ ...row, ...{ good_until: 1, due_at: null, card: null, reason: "stale" } })
          .execute();
      }
    });
    expect(await post()).toMatchObject({ kind: "taken" });
    expect(await post("swap 2 KLV KFI")).toEqual({ kind: "too-often", waitSeconds: 3600 });
    expect(await only()).toMatchObject({ came: 1 });
    await process.stop();
  });

  it("fails with the store, which has kept nothing of it", async () => {
    const { process, post } = await world();
    process.store.beforeWrite = () => {
      throw new Fault("store-write-failed", { document: "" });
    };
    await expect(post()).rejects.toMatchObject({ code: "store-write-failed" });
    process.store.beforeWrite = () => undefined;
    expect(await process.store.db.selectFrom("proposals").selectAll().execute()).toEqual([]);
    expect(await post()).toMatchObject({ kind: "taken" });
    await process.stop();
  });
});
