import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import {
  comparedCard,
  defaultWorld,
  losesAnswer,
  nextFile,
  people,
  sandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

async function trades(alice: SandboxPerson, line: string) {
  const card = await comparedCard(alice, line);
  return alice.confirms(card, /^✅ (?:Swap|Troca)/);
}

/** Downloads the next file. @returns its rows by column. */
async function fileRows(...file: Parameters<typeof nextFile>) {
  const answer = await nextFile(...file);
  const [head = [], ...rows] = (await answer.text())
    .replace("\uFEFF", "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((column, index) => [column, row[index]])));
}

const units = (text: string | undefined) => {
  const [whole = "", decimals = ""] = (text ?? "").split(".");
  return BigInt(whole + decimals.padEnd(6, "0"));
};

describe("/portfolio", () => {
  it("shows what everything is worth, what it cost and what was gained, after buys and sales", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    expect((await desk.person(people.bob).asks("/portfolio")).text).toMatch(/wallet address/i);
    const alice = await desk.trader();
    const start = alice.holds();
    await trades(alice, "/swap 1000 KLV KFI");
    const bought = alice.holds()["KFI"]! - start["KFI"]!;
    const before = alice.holds();
    await trades(alice, "/swap 1 KFI KLV");
    const sold = alice.holds()["KLV"]! - before["KLV"]!;
    const cost = 1_000_000_000n;
    const costOfSold = (cost * 1_000_000n + bought - 1n) / bought;
    const lock = await alice.asks("/lock 5 KFI 5600");
    await alice.confirms(lock, /✅ Lock/);

    const card = await alice.asks("/portfolio");
    expect(card.text).toMatch(/^[^\n]+\nTotal value: [0-9.,]+ KLV\n[^]*\nIn KLV: what selling everything at/);
    expect(card.text).toMatch(
      /503[.0-9]* KFI · ≈ \d\d,\d{3}[.0-9]* KLV\n.*selling it all now: [0-9.]+% below the pool price/,
    );
    expect(card.text).toMatch(/cost 89\d[.0-9]* KLV \(10\d[.0-9]* each\), known for 8[.0-9]* KFI only/);
    expect(card.text).toMatch(/Total value: \d\d,\d{3}[.0-9]* KLV|Total value: \d{3},\d{3}[.0-9]* KLV/);
    expect(card.text).toMatch(/In pools \(not in the total\)\n40 LPKLVKFI-3I0N\nrepresents/);

    expect(card.text).toMatch(/Locked \(not in the total\)\n5 KFI\nLKTOK-1A2B\/3, until [^\n]*epoch 5600/);

    const rows = await fileRows(desk, alice, () => alice.taps(card, "📄"));
    const kfi = rows.find(({ token }) => token === "KFI");
    expect(units(kfi?.["cost"])).toBe(cost - costOfSold);
    expect(units(kfi?.["cost_known_for"])).toBe(bought - 1_000_000n);
    expect(kfi?.["realised"]).toBe(`-${kfi?.["realised"]?.slice(1) ?? ""}`);
    expect(-units(kfi?.["realised"]?.slice(1))).toBe(sold - costOfSold);
    expect(rows.find(({ token }) => token === "DVK-34ZH")).toMatchObject({ cost: "", unrealised: "", held: "250000" });

    await alice.taps(card, "In KFI");
    const inKfi = await alice.sees(card, /\nIn KFI/);
    expect(inKfi.text).toMatch(/Total value: [0-9,.]+ KFI/);
    await alice.asks("/portfolio NOPE", /NOPE/);
  });

  it("draws the values of the days on which it was opened, once there are two, and updates the chart in place", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    const nextDay = () => fetch(`${desk.sandbox.url}/_sim/epoch`, { method: "POST", body: '{"hours": 24}' });
    const alice = await desk.trader();
    const card = await alice.asks("/portfolio");
    await alice.taps(card, "📈");
    expect((await alice.reads(/tomorrow/)).photo).toBeUndefined();
    await trades(alice, "/swap 1000 KLV KFI");
    await nextDay();
    await alice.taps(card, "📈");
    const drawn = await alice.reads(/^Total value · KLV\n[0-9.,]+ KLV on [^\n]+\nChange: [−+±][0-9.]+%\nHighest/);
    expect(drawn.photo).toMatchObject({ width: 800, height: 500 });
    await nextDay();
    desk.sandbox.faults.set("quotation", "5xx");
    await alice.taps(drawn, "🔄");
    await until(() => desk.sandbox.telegram.calls().some(({ method }) => method === "editMessageMedia"));
    desk.sandbox.faults.set("quotation", undefined);
    expect((await alice.sees(drawn, /Total value/)).text).toMatch(/: the last total of each day/);
  });

  it("leaves out a trade of unknown outcome, says so, and counts it once it is found", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await losesAnswer(desk, alice, card);
    await until(() => alice.holds()["KLV"] === 9_900_000_000n);
    const open = await alice.asks("/portfolio");
    expect(open.text).toMatch(/1 trade isn't counted: its outcome or amounts are unknown/);
    expect(open.text).not.toMatch(/cost \d/);
    await alice.taps(card, "🔎 Check");
    await alice.sees(card, /It has arrived/);
    const found = await alice.asks("/portfolio");
    expect(found.text).toMatch(/cost 100 KLV/);
    expect(found.text).not.toMatch(/isn't counted/);
  });

  it("says unknown, never zero, if services are down, in the user's language, and is rate-limited", async () => {
    let ahead = 0;
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
    const { desk, alice } = await tradingDesk({ world: defaultWorld, clock });
    await trades(alice, "/swap 100 KLV KFI");
    await speaksPortuguese(alice);
    desk.sandbox.faults.set("quotation", "5xx");
    // The pools' prices need no quotes.
    expect((await alice.asks("/portfolio")).text).toMatch(/500[,.0-9]* KFI · ≈ 4\d\.\d{3}[,.0-9]* KLV\n/);
    ahead = 60_000;
    desk.sandbox.faults.set("node", "5xx");
    const unpriced = await alice.asks("/portfolio");
    expect(unpriced.text).toMatch(/500[,.0-9]* KFI · valor desconhecido[^]*custo 100 KLV/);
    expect(unpriced.text).toMatch(/Valor total: 9\.900 KLV \(sem contar \d de valor desconhecido\)/);
    desk.sandbox.faults.set("balances", "5xx");
    const unseen = await alice.asks("/portfolio");
    expect(unseen.text).toMatch(/Não consigo ver seu saldo agora/);
    expect(unseen.text).toMatch(/KFI: saldo desconhecido · valor desconhecido\n.*custo 100 KLV/);
    expect(unseen.text).toMatch(/Valor total: desconhecido/);
    expect(unseen.text).not.toMatch(/(?:^|\s)0 K/);
    await alice.asks("/portfolio");
    await alice.asks("/portfolio");
    expect((await alice.asks("/portfolio")).text).toMatch(/Pedidos demais/);
  });
});
