import { describe, expect, it } from "vitest";
import {
  comparedCard,
  defaultWorld,
  labelsOf,
  nextFile,
  people,
  requestsTo,
  sandboxDesk,
  seesRefused,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

const CONTRACT = "klv1qqqqqqqqqqqqqpgqxwklx9kjsraaxfecwl4k8rrhhyfwtyxw5xwqxpkjpd";

describe("/addresses", () => {
  it("adds by a line, a dialog and a pasted address, renames and removes, and refuses what is no address of an account", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const [bob, carol] = [desk.address("Bob"), desk.address("Carol")];
    expect((await alice.asks("/addresses")).text).toMatch(/^Addresses you only look at\nNone yet\./);
    const list = await alice.asks(`/addresses ${bob} Savings`, /^Saved/);
    expect(list.text).toContain(`Savings\n${bob}`);
    expect(labelsOf(list)).toEqual(["✏️ Savings", "🗑 Savings", "➕ Add an address"]);

    await alice.taps(list, "✏️");
    await alice.reads(/Which name for/);
    await alice.asks("/balance now", /Which name for|Your balance/);
    await alice.asks("/cancel");
    await alice.taps(list, "✏️");
    await alice.reads(/Which name for/);
    await alice.asks("KFI", /no token's/);
    expect((await alice.asks("Cold storage", /^Saved/)).text).toContain(`Cold storage\n${bob}`);

    const pasted = await alice.asks(carol, /not the address you have set/);
    await alice.taps(pasted, "👁 Only look at it");
    await alice.reads(/Which name for/);
    await alice.asks("cold STORAGE", /Another address is called/);
    const both = await alice.asks("Carol’s", /^Saved/);
    // Pasted again, it isn't offered as a wallet address.
    const known = await alice.asks(carol, /Carol’s/);
    expect(labelsOf(known)).toEqual(labelsOf(both));

    await seesRefused(alice, [
      [`/addresses ${desk.address("Alice")} Mine`, /your own address/],
      [`/addresses ${bob.slice(0, -1)}q Savings`, /isn't a valid address/],
      [`/addresses ${bob} /forget`, /A name has up to 24/],
      [`/addresses ${bob} ${"x".repeat(25)}`, /A name has up to 24/],
      ["/addresses 0x52908400098527886E0F7030069857D2E4169EE7 Mine", /another chain/],
      [`/addresses ${CONTRACT} Contract`, /contract|isn't a valid/],
    ]);
    await alice.taps(both, "🗑 Cold storage");
    const left = await alice.sees(both, /^Cold storage removed:\nklv1/);
    expect(left.text).toContain(bob);
    expect(labelsOf(left)).toEqual(["✏️ Carol’s", "🗑 Carol’s", "➕ Add an address"]);
    await alice.taps(known, "🗑 Carol’s");
    await alice.sees(known, /None yet/);
    expect(await alice.taps(left, "✏️ Carol’s")).toMatch(/no longer active/);
  });

  it("shows them in /balance and /portfolio in both languages: no gain, in no total but the one that says so", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const card = await comparedCard(alice, "/swap 1000 KLV KFI");
    await alice.confirms(card, /✅ Swap/);
    const totalOf = (text: string) => /Total value: ([0-9.,]+ KLV)/.exec(text)?.[1];
    const before = totalOf((await alice.asks("/portfolio")).text);
    await alice.asks(`/addresses ${desk.address("Bob")} Savings`, /^Saved/);
    const balance = await alice.asks("/balance");
    const bob = desk.balancesOf("Bob");
    expect(balance.text).toMatch(/👁 Watch-only · Savings · klv1\w{5}…\w{6}\n/);
    expect(balance.text.split("👁")[1]).toContain(`${(bob["KLV"]! / 1_000_000n).toLocaleString("en")} KLV`);
    const { text } = await alice.asks("/portfolio");
    expect(totalOf(text)).toBe(before);
    expect(text).toMatch(/gain unknown\)\nSavings: [0-9.,]+ KLV[^]*\nTotal with watch-only: [0-9.,]+ KLV/);
    const file = await nextFile(desk, alice, () => alice.asks("/portfolio csv"));
    const rows = (await file.text()).split("\r\n").filter((line) => line.startsWith("watch-only,"));
    expect(rows).toContainEqual(
      expect.stringMatching(new RegExp(`^watch-only,KLV,[0-9.]+,.*Savings ${desk.address("Bob")}$`)),
    );

    await speaksPortuguese(alice);
    expect((await alice.asks("/balance")).text).toMatch(/👁 Só acompanhado · Savings · klv1/);
    expect((await alice.asks("/portfolio")).text).toMatch(/ganho desconhecido\)\nSavings: [0-9.,]+ KLV/);
    await alice.asks("/addresses", /^Endereços que você só acompanha\nSavings/);
  });

  it("says unknown of one that the node can't tell, and shows the others", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    await alice.asks(`/addresses ${desk.address("Bob")} Savings`, /^Saved/);
    // Nothing was ever sent there, so that the node knows no such account.
    await alice.asks("/addresses klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5 Till", /^Saved/);
    const { text } = await alice.asks("/balance");
    expect(text).toMatch(/Watch-only · Savings · [^\n]+\n[0-9.,]+ KLV/);
    expect(text).toMatch(/Watch-only · Till · [^\n]+\nBalance unknown right now/);
    expect((await alice.asks("/portfolio")).text).toMatch(/\nTill: unknown\nTotal with watch-only: [^\n]+not counted/);
  });

  it("are no address to trade with: whoever has none of their own is asked for it by everything that spends", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    const bob = desk.person(people.bob);
    await bob.asks(`/addresses ${desk.address("Carol")} Savings`, /^Saved/);
    for (const line of [
      "/swap 100 KLV KFI",
      "/multihop 100 KLV KFI",
      "/limit 5 KFI KLV for 600",
      "/stoploss 5 KFI KLV for 400",
      "/dca 10 KLV KFI daily 09:00 x30 Lisbon",
      "/lock 5 KFI 5600",
      "/launch DVK-34ZH USDT-2AB1",
      "/swap max KFI KLV",
    ]) {
      const answer = await bob.asks(line);
      expect(answer.text, line).toMatch(/klv1… wallet address|wallet address first|your wallet address/i);
      expect(answer.text).not.toContain(desk.address("Carol"));
      await bob.asks("/cancel");
    }
    await bob.asks("/balance", /wallet address/);
    expect(desk.callsSent()).toEqual([]);
    expect(requestsTo(desk, /balance/).filter(({ path }) => path.includes(desk.address("Carol")))).toEqual([]);
  });

  it("are paid nothing by any call, and sell nothing of theirs", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const carol = desk.address("Carol");
    await alice.asks(`/addresses ${carol} Savings`, /^Saved/);
    const before = desk.balancesOf("Carol");
    const held = alice.holds();
    const all = await alice.asks("/quote max KFI KLV");
    expect(all.text).toContain(`${(held["KFI"]! / 1_000_000n).toLocaleString("en")} KFI`);
    await alice.confirms(await comparedCard(alice, "/swap 100 KLV KFI"), /✅ Swap/);
    await alice.confirms(await alice.asks("/lock 5 KFI 5600"), /✅ Lock/);
    expect(desk.callsSent()).toHaveLength(2);
    expect(JSON.stringify(desk.callsSent())).not.toContain(carol);
    expect(desk.balancesOf("Carol")).toEqual(before);
  });

  it("sign nothing in wallet mode", async () => {
    const chat = await walletChat();
    const { alice, desk } = chat;
    const carol = desk.address("Carol");
    await alice.asks(`/addresses ${carol} Savings`, /^Saved/);
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    const waiting = await alice.confirms(card, /Waiting for your signature/);
    expect(await chat.sign(chat.pageOf(waiting))).toBe(200);
    await alice.sees(card, /✅ Swap completed/);
    const bodies = requestsTo(desk, /transaction/).map(({ requestBody }) => requestBody);
    expect(bodies.join()).toContain(desk.address("Alice"));
    expect(bodies.join()).not.toContain(carol);
  });
});
