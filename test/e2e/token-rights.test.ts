import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { withIssuers } from "../../sandbox/issuers.js";
import type { WorldJson } from "../../sandbox/world.js";
import { addressFromBytes } from "../../src/encoding/address.js";
import { asRead } from "../support/as-read.js";
import {
  defaultWorld,
  people,
  requestsTo,
  sandboxDesk,
  speaksPortuguese,
  type SandboxDesk,
} from "../support/sandbox-desk.js";
import { until } from "../support/until.js";
import { signing, walletClock } from "../support/wallet-chat.js";

const [trap, club, moon, stop] = ["HONEY-8K2P", "CLUB-9C4M", "MOON-4R7T", "STOP-6H3Q"] as const;
/** A pair with little in it that takes the trap back: it doesn't make up for the other. */
const dust = "klv1qqqqqqqqqqqqqpgqvlpp67xn96y7g0u674g2kpnphsth9nfgs00qerzjyu";
const worldWith = (base: WorldJson): WorldJson => ({
  ...base,
  pairs: [
    ...(base.pairs ?? []),
    { address: dust, firstToken: "HONEY-8K2P", secondToken: "KFI", reserveFirst: "9000000", reserveSecond: "9000000" },
  ],
  issued: {
    ...base.issued,
    "HONEY-8K2P": {
      ...base.issued!["HONEY-8K2P"]!,
      Roles: [...base.issued!["HONEY-8K2P"]!.Roles!, { Address: dust, HasRoleTransfer: true, HasRoleDeposit: true }],
    },
  },
});
const world = worldWith(withIssuers(defaultWorld));
const silent: WorldJson = { ...world, options: { ...world.options, tellsAssets: false } };
const refused = new RegExp(
  `${trap} can be bought but not sold: it can't get from your account to (?:the referral contract|the router), since`,
);

const modes = [
  ["as a query", { world }, {}],
  [
    "signed by a wallet",
    { world, wallet: true, clock: walletClock() },
    { QUOTE_TTL_SECONDS: "600", HTTP_TIMEOUT_SECONDS: "100" },
  ],
] as const;

const buttonsOf = (card: { keyboard?: { text: string }[][] }) => (card.keyboard ?? []).flat().map(({ text }) => text);
const spent = (desk: SandboxDesk) => [
  ...desk.callsSent().filter(({ value }) => value !== undefined && value !== ""),
  ...(desk.sandbox.real?.node.transactions() ?? []),
];

describe.each(modes)("a token that can be bought but not sold (%s)", (_mode, setup, environment) => {
  it("is refused with the reason wherever it could be bought, before there is anything to tap", async () => {
    const desk = await sandboxDesk(setup, environment);
    const alice = await desk.trader();
    // On a busy machine, what the node tells of a token may come after the quote that waits for it.
    await until(async () => asRead((await alice.asks(trap)).text).includes("can be bought but not sold"));
    for (const line of [
      `/swap 100 KLV ${trap}`,
      `/quote 100 KLV ${trap}`,
      `/multihop 100 KLV ${trap}`,
      `/multihop any KLV ${trap}=1`,
      `/multihop 1 KFI KLV ${trap}`,
      `buy 5 ${trap}`,
      `/limit 100 KLV ${trap} for 1000`,
    ]) {
      const answer = await alice.asks(line);
      expect([line, asRead(answer.text)]).toEqual([line, expect.stringMatching(refused)]);
      expect(buttonsOf(answer).filter((text) => /Confirm|anyway|Swap now/.test(text))).toEqual([]);
    }
    // In between, the router may send it both ways.
    expect(asRead((await alice.asks(`/multihop 100 KLV ${trap} KFI`)).text)).toMatch(/1\. KLV → HONEY-8K2P/);
    const { inlineQueryId } = desk.sandbox.telegram.typeInline(people.alice, `100 KLV ${trap}`);
    const shared = () => desk.sandbox.telegram.inlineQueries().find(({ id }) => id === inlineQueryId)?.answer;
    await until(() => shared() !== undefined);
    expect(shared()!.results).toEqual([]);
    await speaksPortuguese(alice);
    const refusal = await alice.asks(`/swap 100 KLV ${trap}`);
    expect(asRead(refusal.text)).toMatch(new RegExp(`${trap} pode ser comprado, mas não vendido`));
    expect(spent(desk)).toEqual([]);
  });

  it.each(["swap", "multihop"])(
    "is one for a %s card, too, that was shown before its pair lost its role",
    async (kind) => {
      const desk = await sandboxDesk(setup, environment);
      const alice = await desk.trader();
      const card = await alice.asks(`/${kind} 100 KLV ${club}`, /You get about/);
      const before = desk.sandbox.chain.state.issued.get(club)!;
      const roles = before.Roles.map((role) => ({ ...role, HasRoleDeposit: false }));
      desk.sandbox.chain.issue(club, { ...before, Roles: roles });
      const ended = await alice.confirms(card, /Not sent/);
      expect(asRead(ended.text)).toMatch(/can be bought but not sold/);
      expect(spent(desk)).toEqual([]);
    },
  );
});

it("all of a token with royalties is sold, without what its issuer takes on top", async () => {
  const desk = await sandboxDesk({ world });
  const alice = await desk.trader();
  await alice.confirms(await alice.asks(`/swap 9000 KLV ${moon}`, /You get about/), /Swap completed/);
  const held = desk.balancesOf("Alice")[moon]!;
  await alice.confirms(await alice.asks(`/swap max ${moon} KLV`, /You get about/), /Swap completed/);
  // Of the first 1,000, 5%: a unit more would have cost 1.05.
  const paid = desk.callsSent().at(-1)!.value!;
  const sold = ((held + 1n) * 10_000n + 10_499n) / 10_500n - 1n;
  expect(paid).toBe(`${moon}=${sold}`);
  expect(desk.balancesOf("Alice")[moon] ?? 0n).toBeLessThanOrEqual(1n);
});

it("a token with royalties isn't sold or locked where a wallet signs, as its purchase says, and nothing is asked for", async () => {
  const [, setup, environment] = modes[1];
  const desk = await sandboxDesk(setup, environment);
  const { sign, pageOf } = signing(desk);
  const alice = await desk.trader();
  const bought = await alice.asks(`/swap 9000 KLV ${moon}`, /You get about/);
  expect(asRead(bought.text)).toMatch(`🔑 ${moon}: can be destroyed/stopped`);
  expect(asRead(bought.text)).toMatch(/\nRoyalty when you sell: [^]* MOON-4R7T \+ 3 KLV \(not sold here yet\)\n/);
  await sign(pageOf(await alice.confirms(bought, /Waiting for your signature/)));
  await alice.sees(bought, /Swap completed/);
  const before = spent(desk).length;
  for (const line of [
    `/swap max ${moon} KLV`,
    `/multihop 1 ${moon} KLV KFI`,
    `/lock 1 ${moon} 30d`,
    `/limit 1 ${moon} KLV for 100`,
  ]) {
    const answer = await alice.asks(line);
    expect([line, asRead(answer.text)]).toEqual([line, expect.stringMatching(/can't be sent from here: .* royalty/)]);
    expect(buttonsOf(answer).filter((text) => /Confirm|Set this/.test(text))).toEqual([]);
  }
  expect(spent(desk)).toHaveLength(before);
});

describe("a royalty that would make a sale impossible, or dear", () => {
  const worldOf = (Royalties: object): WorldJson => ({
    ...world,
    issued: { ...world.issued, [moon]: { OwnerAddress: world.issued![moon]!.OwnerAddress, Royalties } },
  });

  it.each(modes)("is refused if it is fixed and as much as what is bought (%s)", async (_mode, setup, environment) => {
    const desk = await sandboxDesk({ ...setup, world: worldOf({ TransferFixed: "9000000000000000000" }) }, environment);
    const alice = await desk.trader();
    for (const line of [
      `/swap 100 KLV ${moon}`,
      `/quote 100 KLV ${moon}`,
      `/multihop 100 KLV ${moon}`,
      `/limit 100 KLV ${moon} for 6`,
    ]) {
      const answer = await alice.asks(line);
      const refusal = `⛔ ${moon} can be bought but not sold: its issuer takes 9,000,000,000,000 KLV of each sale`;
      expect([line, asRead(answer.text)]).toEqual([line, expect.stringContaining(refusal)]);
      expect(buttonsOf(answer).filter((text) => /Confirm|anyway|Swap now|Set this/.test(text))).toEqual([]);
    }
    expect(spent(desk)).toEqual([]);
  });

  it.each(modes)("is asked about with the figure if it is above 5% (%s)", async (_mode, setup, environment) => {
    const royalties = { TransferPercentage: [{ Amount: "1000000000", Percentage: 10_000 }] };
    const desk = await sandboxDesk({ ...setup, world: worldOf(royalties) }, environment);
    const alice = await desk.trader();
    // All of it again on top: of what is bought, half can be sold.
    const half = /Selling it all again would cost \d+\.\d+ MOON-4R7T \(50%\) in royalties/;
    for (const kind of ["swap", "multihop"]) {
      const card = await alice.asks(`/${kind} 100 KLV ${moon}`);
      expect([kind, asRead(card.text)]).toEqual([kind, expect.stringMatching(half)]);
      expect(buttonsOf(card).filter((text) => /Confirm/.test(text))).toEqual([]);
      await alice.taps(card, "⚠️ Buy anyway");
      await alice.sees(card, /You get at least/);
    }
    for (const line of [`/quote 100 KLV ${moon}`, `/limit 100 KLV ${moon} for 6`])
      expect([line, asRead((await alice.asks(line)).text)]).toEqual([line, expect.stringMatching(half)]);
  });

  it("is refused at the tap, too, if it was raised since the card", async () => {
    const desk = await sandboxDesk({ world: worldOf({ TransferFixed: "1000000" }) });
    const alice = await desk.trader();
    const card = await alice.asks(`/swap 100 KLV ${moon}`, /You get at least/);
    const before = desk.sandbox.chain.state.issued.get(moon)!;
    desk.sandbox.chain.issue(moon, { ...before, Royalties: { ...before.Royalties, TransferFixed: 100_000_000n } });
    expect(asRead((await alice.confirms(card, /Not sent/)).text)).toMatch(/its issuer takes 100 KLV of each sale/);
    expect(spent(desk)).toEqual([]);
  });
});

describe.each(modes)("what else an issuer can do (%s)", (_mode, setup, environment) => {
  const begin = async () => {
    const desk = await sandboxDesk(setup, environment);
    return { desk, alice: await desk.trader(), ...(desk.sandbox.real && signing(desk)) };
  };

  it("is a sign on quotes and cards, and sentences in the fold", async () => {
    const { alice } = await begin();
    const signs = `🔑 ${moon}: can be destroyed/stopped`;
    for (const line of [
      `/quote 9000 KLV ${moon}`,
      `/swap 9000 KLV ${moon}`,
      `/multihop 9000 KLV ${moon}`,
      `9000 KLV ${moon}`,
      `/limit 9000 KLV ${moon} for 600`,
    ]) {
      const { text, entities } = await alice.asks(line);
      const shown = asRead(text);
      expect([line, shown]).toEqual([line, expect.stringContaining(signs)]);
      const fold = entities.find(({ type }) => type === "expandable_blockquote");
      const folded = asRead(text.slice(fold?.offset ?? 0));
      expect(folded).toMatch(/The issuer can destroy MOON-4R7T in any account: in yours, and in a pool\./);
      expect(folded).toMatch(
        /Selling MOON-4R7T costs its issuer's royalty on top: 2% to 5% of the amount.*, and 3 KLV\./,
      );
      expect(folded).toMatch(/As the node said at \d\d:\d\d:\d\d/);
    }
    const plain = await alice.asks("/swap 100 KLV KFI");
    expect(asRead(plain.text)).not.toMatch(/🔑|issuer/);
  });

  it("doesn't keep a token from being traded whose pair takes it back", async () => {
    const { alice, desk, sign, pageOf } = await begin();
    const card = await alice.asks(`/swap 100 KLV ${club}`);
    expect(asRead(card.text)).toMatch(`🔑 ${club}: approved addresses only`);
    if (sign === undefined || pageOf === undefined) await alice.confirms(card, /Swap completed/);
    else {
      await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)));
      await alice.sees(card, /Swap completed/);
    }
    expect(desk.balancesOf("Alice")[club]).toBeGreaterThan(0n);
  });

  it("is asked about once more if all transfers are stopped, and a card is replaced that was shown before", async () => {
    const { desk, alice } = await begin();
    const card = await alice.asks(`/swap 100 KLV ${stop}`);
    expect(asRead(card.text)).toMatch(new RegExp(`^⛔ All transfers of ${stop} are stopped now`));
    expect(buttonsOf(card)).not.toContain("✅ Confirm swap");
    await alice.taps(card, "⚠️ Try anyway");
    await alice.sees(card, /You get at least/);
    const open = await alice.asks(`/swap 9000 KLV ${moon}`, /You get at least/);
    const before = desk.sandbox.chain.state.issued.get(moon)!;
    desk.sandbox.chain.issue(moon, { ...before, Attributes: { ...before.Attributes, IsPaused: true } });
    await alice.taps(open, "✅ Confirm");
    await alice.sees(open, new RegExp(`All transfers of ${moon} are stopped now`));
    expect(spent(desk)).toEqual([]);
  });

  it.each(["swap", "multihop"])(
    "is said before a tap counts if royalties were raised since the card (%s)",
    async (kind) => {
      const { desk, alice } = await begin();
      const card = await alice.asks(`/${kind} 9000 KLV ${moon}`, /2% to 5% of the amount/);
      const before = desk.sandbox.chain.state.issued.get(moon)!;
      const TransferPercentage = [{ Amount: 1_000_000_000n, Percentage: 9_000 }];
      desk.sandbox.chain.issue(moon, { ...before, Royalties: { ...before.Royalties, TransferPercentage } });
      await alice.taps(card, "✅ Confirm");
      await alice.sees(card, /Nothing was sent: something has changed[^]*Selling MOON-4R7T costs.* 90% of the amount/);
      expect(spent(desk)).toEqual([]);
    },
  );

  it("isn't hidden by a long answer of the node: it is read, or asked about once more with what was so last", async () => {
    const desk = await sandboxDesk(setup, { ...environment, QUOTE_TTL_SECONDS: "600" });
    const alice = await desk.trader();
    const card = await alice.asks(`/swap 100 KLV ${club}`, /You get at least/);
    const before = desk.sandbox.chain.state.issued.get(club)!;
    const Royalties = { ...before.Royalties, TransferPercentage: [{ Amount: 1_000_000_000n, Percentage: 300 }] };
    const roles = (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const address = Buffer.alloc(32, 7);
        address.writeUInt32BE(index);
        return { Address: addressFromBytes(address), HasRoleMint: false, HasRoleDeposit: true, HasRoleTransfer: true };
      });
    desk.sandbox.chain.issue(club, { ...before, Royalties, Roles: [...before.Roles, ...roles(3_000)] });
    await alice.taps(card, "✅ Confirm");
    await alice.sees(card, /something has changed[^]*Selling CLUB-9C4M costs.* 3% of the amount/);
    // It was read, and what follows can't be any more.
    const next = await alice.asks(`/swap 100 KLV ${club}`, /You get at least/);
    desk.sandbox.chain.issue(club, { ...before, Royalties, Roles: [...before.Roles, ...roles(45_000)] });
    await alice.taps(next, "✅ Confirm");
    const asked = await alice.sees(next, new RegExp(`I can't check whether ${club} can be sold again`));
    expect(asRead(asked.text)).toMatch(/Selling CLUB-9C4M costs.* 3% of the amount\.\n[^]*As the node said at/);
    expect(spent(desk)).toEqual([]);
  });

  it.each([
    ["swap", "garbage"],
    ["multihop", "5xx"],
    ["swap", "drop-before"],
  ] as const)("is asked about once more if it can't be read whether it can be sold (%s, %s)", async (kind, fault) => {
    const { desk, alice } = await begin();
    desk.sandbox.faults.set("assets", fault);
    const card = await alice.asks(`/${kind} 100 KLV ${trap}`);
    expect(asRead(card.text)).toMatch(
      new RegExp(`I can't check whether ${trap} can be sold again[^]*you lose what you pay`),
    );
    expect(buttonsOf(card).filter((text) => /Confirm/.test(text))).toEqual([]);
    await alice.taps(card, "⚠️ Buy anyway");
    await alice.sees(card, /You get at least/);
    // Nor does a quote hide it.
    expect(asRead((await alice.asks(`/quote 100 KLV ${trap}`)).text)).toMatch(/I can't check whether/);
    // Once it can be read, the tap is refused.
    desk.sandbox.faults.set("assets", undefined);
    await until(async () => {
      const again = await alice.asks(`/quote 100 KLV ${trap}`);
      return refused.test(asRead(again.text));
    });
    const ended = await alice.confirms(card, /Not sent/);
    expect(asRead(ended.text)).toMatch(/can be bought but not sold/);
    expect(spent(desk)).toEqual([]);
  });
});

test("a node that doesn't serve tokens changes nothing on a card, and is asked once more at first", async () => {
  const desk = await sandboxDesk({ world: silent });
  const alice = await desk.trader();
  const card = await alice.asks(`/swap 100 KLV ${trap}`);
  expect(asRead(card.text)).toMatch(/You get at least/);
  expect(asRead(card.text)).not.toMatch(/🔑|issuer|sold/);
  await alice.confirms(card, /Swap completed/);
  // The first time, it may just have been starting: once more, for each token of the trade.
  expect(requestsTo(desk, /^\/asset\//).length).toBeLessThanOrEqual(6);
});

describe("a token's card", () => {
  it("says what its issuer can do, and offers to buy only what can be sold again", async () => {
    const desk = await sandboxDesk({ world });
    const alice = await desk.trader();
    const shown = async (id: string) => {
      const card = await alice.asks(id);
      return { text: asRead(card.text), buttons: buttonsOf(card).join(" ") };
    };
    const bad = await shown(trap);
    expect(bad.text).toMatch(
      new RegExp(
        `^${trap}\n⛔ ${trap} can be bought but not sold: it can't get from your account to the referral contract\\.`,
      ),
    );
    expect(bad.buttons).not.toMatch(/Buy|At a price|Regular/);
    const good = await shown(club);
    expect(good.text).toMatch(`⚠️ ${club} moves only between addresses that its issuer approves.`);
    expect(good.buttons).toMatch(/Buy.*At a price/);
    expect((await shown(stop)).text).toMatch(/stopped now.*Once resumed, they can't be stopped again\./);
    expect((await shown(moon)).text).toMatch(/More can be made without limit by the issuer\./);
    expect((await shown("KFI")).text).toMatch(
      /KFI belongs to the chain itself[^]*Impossible for ever: destroying others' coins/,
    );
    // Its pair makes and destroys what it needs.
    expect((await shown("LPKLVKFI-3I0N")).text).toMatch(/More can be made without limit by the issuer\./);
    await speaksPortuguese(alice);
    expect((await shown(trap)).text).toMatch(
      /pode ser comprado, mas não vendido: não tem como passar \(sua conta → o contrato de indicação\)/,
    );
  });

  it("isn't there for a token that doesn't exist, and says so; one that isn't listed can be asked for", async () => {
    const tokens = world.tokens.filter(({ id }) => id !== moon);
    const desk = await sandboxDesk({ world }, { ADMIN_USER_IDS: String(people.carol) });
    const alice = await desk.trader();
    const boss = await desk.trader("Carol");
    await writeFile(join(desk.place.folder, "tokens.json"), JSON.stringify(tokens));
    await until(async () => /isn't on this bot's list/.test(asRead((await alice.asks(moon)).text)));
    const card = await alice.asks(moon.toLowerCase());
    expect(asRead(card.text)).toMatch(/The issuer can destroy MOON-4R7T[^]*More can be made without limit/);
    expect(buttonsOf(card)).toEqual(["🙋 Ask the operator to list it"]);
    expect(await alice.taps(card, "🙋")).toMatch(/^Sent to the operator/);
    const request = await boss.reads(/Request to list a token\nMOON-4R7T\n/);
    expect(asRead(request.text)).toMatch(
      /can destroy MOON-4R7T[^]*More can be made[^]*npm run tokens -- add MOON-4R7T$/,
    );
    expect(await alice.taps(card, "🙋")).toMatch(/already been asked/);
    const missing = await alice.asks("NOPE-1234");
    expect(asRead(missing.text)).toBe("There is no token NOPE-1234 on this chain. Check its ID, letter by letter.");
    const near = await alice.asks("HONEY-8K2O");
    expect(asRead(near.text)).toBe(`There is no token HONEY-8K2O on this chain. Did you mean ${trap}?`);
    expect(buttonsOf(near)).toEqual([trap]);
    await speaksPortuguese(alice);
    expect(asRead((await alice.asks("NOPE-1234")).text)).toMatch(/^Não existe o token NOPE-1234 nesta rede\./);
  });

  it("has a word for it, and no warning, where the node doesn't serve tokens", async () => {
    const desk = await sandboxDesk({ world: silent });
    const alice = await desk.trader();
    const card = asRead((await alice.asks(trap)).text);
    expect(card).toMatch(/This bot's node doesn't report what the issuer can do\./);
    expect(card).not.toMatch(/⛔|⚠️/);
    expect(asRead((await alice.asks("NOPE-1234")).text)).toMatch(/^NOPE-1234 isn't on this bot's list/);
  });
});
