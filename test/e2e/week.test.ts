import { describe, expect, it } from "vitest";
import {
  comparedCard,
  defaultWorld,
  documentedWorld,
  labelsOf,
  losesAnswer,
  people,
  sandboxDesk,
  type SandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

async function trades(person: SandboxPerson, line: string) {
  return person.confirms(await comparedCard(person, line), /^✅ (?:Swap|Route|Troca|Rota)/);
}

/** Moves the world on by whole hours, until it is 19 o'clock and something on Sunday in UTC. */
async function comesToSunday({ sandbox }: SandboxDesk, more = 0): Promise<void> {
  const now = new Date(sandbox.time.clock.now());
  const days = (7 - now.getUTCDay()) % 7;
  const left = days * 24 + 19 - now.getUTCHours();
  const hours = (left <= 0 ? left + 7 * 24 : left) + more;
  await fetch(`${sandbox.url}/_sim/epoch`, { method: "POST", body: JSON.stringify({ hours }) });
}

const weeksIn = ({ sandbox }: SandboxDesk, { id }: SandboxPerson) =>
  sandbox.telegram.chat(id).filter(({ text }) => /^(?:Your week|Sua semana)/.test(text));

const units = (text: string | undefined): bigint => {
  const [, sign, whole = "", part = ""] = /([+−]?)([0-9,]+)(?:\.([0-9]+))?/.exec(text ?? "") ?? [];
  return BigInt(`${sign === "−" ? "-" : ""}${whole.replaceAll(",", "")}${part.padEnd(6, "0")}`);
};

describe("/week", () => {
  it("draws gain, trades and what routes saved, from what the balances prove", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const none = await alice.asks("/week");
    expect(none.text).toMatch(/^Your week: \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\nNo finished trades/);
    expect(none.photo).toBeUndefined();
    const start = alice.holds();
    await trades(alice, "/swap 1000 KLV KFI");
    const bought = alice.holds()["KFI"]! - start["KFI"]!;
    const before = alice.holds();
    await trades(alice, "/swap 1 KFI KLV");
    const sold = alice.holds()["KLV"]! - before["KLV"]!;
    await trades(alice, "/multihop 250 KLV DVK-34ZH KFI");
    await losesAnswer(desk, alice, await comparedCard(alice, "/swap 10 KLV KFI"));

    const week = await alice.asks("/week");
    expect(week.photo).toMatchObject({ width: 800, height: 500 });
    expect(week.text).toMatch(/\nTrades: 3\nSaved by routes: 2\.5 KLV\n/);
    // To the unit, but for what eight digits show.
    const cost = (1_000_000_000n * 1_000_000n + bought - 1n) / bought;
    const gain = units(/Gain from sales: ([^ ]+) KLV/.exec(week.text)?.[1]);
    expect(gain).toBeLessThan(0n);
    expect(gain).toBe(sold - cost);
    expect(week.text).toContain("1 trade isn't counted: it isn't proven.");

    await alice.asks("/week KFI", /Gain from sales: [+−][0-9.]+ KFI\n[^]*Saved by routes: 0\.0\d+ KFI/);
    await alice.asks("/week NOPE", /NOPE/);
    await speaksPortuguese(alice);
    expect((await alice.asks("/week")).text).toMatch(
      /^Sua semana: [^]*Ganho nas vendas: −[0-9]+,[0-9]+ KLV\nTrocas: 3\nPoupado pelas rotas: 2,5 KLV/,
    );
    await alice.asks("/week", /Aguarde|segundos|tente/i);
  });

  it("has no figure from what only the node's answer speaks for", async () => {
    const { alice } = await tradingDesk({ world: documentedWorld });
    await alice.confirms(await comparedCard(alice, "/swap 10 KLV KFI"));
    const { text } = await alice.asks("/week");
    expect(text).toMatch(/Gain from sales: nothing sold\nTrades: 0\nSaved by routes: no routes\n/);
    expect(text).toContain("1 trade isn't counted: it isn't proven.");
  });
});

describe("on Sunday evening", () => {
  it("comes as a picture to those who chose it, in their zone and language, once, through a restart", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    const alice = await desk.trader();
    const bob = await desk.trader("Bob");
    const carol = await desk.trader("Carol");
    const settings = await bob.asks("/settings");
    await bob.taps(settings, "Time zone");
    await bob.reads(/city/);
    await bob.asks("São Paulo", /Saved/);
    await speaksPortuguese(bob, await bob.asks("/settings"));
    const inPortuguese = await bob.asks("/settings", /^Configurações/);
    expect(inPortuguese.text).toContain("Semana aos domingos: não");
    expect(await bob.taps(inPortuguese, "Semana aos domingos: às 19:00")).toMatch(
      /^Chega aos domingos às 19:00 \(America\/Sao_Paulo\)/,
    );
    await bob.sees(inPortuguese, /Semana aos domingos: às 19:00/);

    const week = await alice.asks("/week");
    expect(await alice.taps(week, "🗓 Send it every Sunday")).toMatch(/^It comes on Sundays at 19:00 \(UTC\)/);
    await until(() => labelsOf(desk.sandbox.telegram.chat(alice.id).at(-1)!).includes("🗓 No more Sundays"));
    // Carol chooses it, and makes no trade.
    await carol.taps(await carol.asks("/week"), "🗓 Send it every Sunday");
    for (const person of [alice, bob]) await trades(person, "/swap 10 KLV KFI");
    const asked = weeksIn(desk, alice).length;

    await comesToSunday(desk);
    const told = await alice.reads(/^Your week: [^]*Trades: 1/);
    expect(told.photo).toMatchObject({ width: 800, height: 500 });
    expect(labelsOf(told)).toEqual(["🗓 No more Sundays"]);
    expect(weeksIn(desk, bob)).toHaveLength(0);
    await desk.restart();
    await fetch(`${desk.sandbox.url}/_sim/epoch`, { method: "POST", body: '{"hours": 3}' });
    const inBrazil = await bob.reads(/^Sua semana: [^]*Trocas: 1/);
    expect(inBrazil.photo).toMatchObject({ width: 800, height: 500 });
    expect(weeksIn(desk, alice)).toHaveLength(asked + 1);
    expect(weeksIn(desk, carol)).toHaveLength(1);
    // Its button is on the picture itself.
    await alice.taps(told, "🗓 No more Sundays");
    await until(() => labelsOf(weeksIn(desk, alice).at(-1)!).includes("🗓 Send it every Sunday"));
    await alice.asks("/settings", /Week on Sundays: off/);
    await trades(alice, "/swap 10 KLV KFI");
    await comesToSunday(desk, 4);
    await bob.asks("/week", /^Sua semana/);
    expect(weeksIn(desk, alice)).toHaveLength(asked + 1);
  });

  it("says nothing to whoever was forgotten", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    const bob = desk.person(people.bob);
    await bob.asks(`/wallet ${desk.address("Bob")}`);
    await bob.taps(await bob.asks("/week"), "🗓 Send it every Sunday");
    await trades(bob, "/swap 10 KLV KFI");
    const card = await bob.asks("/forget");
    await bob.taps(card, "🗑 Delete everything…");
    await bob.sees(card, /^⚠️ Delete everything/);
    await bob.taps(card, "🗑 Yes");
    await bob.reads(/I have deleted everything/);
    const before = weeksIn(desk, bob).length;
    await comesToSunday(desk, 1);
    await bob.asks("/help", /\/week/);
    expect(weeksIn(desk, bob)).toHaveLength(before);
    await bob.asks("/settings", /Week on Sundays: off/);
  });
});
