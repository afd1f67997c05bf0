import { describe, expect, it } from "vitest";
import { messages } from "../../src/locales/messages.js";
import {
  comparedCard,
  dataOf,
  defaultWorld,
  losesAnswer,
  nextFile,
  people,
  requestsTo,
  sandboxDesk,
  type SandboxPerson,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

const pt = messages.pt.receipt;

async function trades(person: SandboxPerson, line: string) {
  const card = await comparedCard(person, line);
  return person.confirms(card, /^✅ (?:Swap|Troca)/);
}

describe("/receipt", () => {
  it("compares a trade in three lines, opens from the trade's card, and adds up the month", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    expect((await alice.asks("/receipt")).text).toMatch(/Nothing here yet/);
    const done = await trades(alice, "/swap 1000 KLV KFI");
    const asked = requestsTo(desk, /^\/quotation$/).length;
    await alice.taps(done, "🧾 Receipt");
    const receipt = await alice.reads(/^🧾 Receipt/);
    expect(receipt.text).toMatch(/You paid: 1,000 KLV\nYou received: 9\.\d+ KFI\n/);
    expect(receipt.text).toMatch(/Total cost: /);
    expect(receipt.text).toMatch(/Total cost: 1\.3% \(13\.00\d+ KLV\)\n/);
    expect(receipt.text).toMatch(/Vs. best route: −1(?:\.\d+)?% \(9\.\d+ KFI\)\nKLV → (?:DVK-34ZH → )?KFI\n/);
    expect(receipt.text).toMatch(/ \d+ s before/);
    await trades(alice, "/swap 1 KFI KLV");
    expect((await alice.asks("/receipt")).text).toMatch(/You paid: 1 KFI/);

    await alice.taps(receipt, "📅");
    const month = await alice.reads(/^Receipts for/);
    expect(month.photo).toMatchObject({ width: 800, height: 500 });
    expect(month.text).toMatch(/1 trade · 9\.\d+ KFI\nTotal cost: 1\.3% [^\n]+\nVs. best route: −1/);
    expect(month.text).toMatch(/1 trade · 9\d\.\d+ KLV/);
    const lines = (await (await nextFile(desk, alice, () => alice.taps(month, "📄"))).text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      /^\d{4}-[^,]+,1000,KLV,9\.\d+,KFI,0\.\d+,,,,,,13\.\d+,KLV,9\.\d+,9\.\d+,9\.\d+,KLV > (?:DVK-34ZH > )?KFI,\d+,yes$/,
    );
    await alice.taps(month, "‹");
    const none = await alice.reads(/No finished trades in this month/);
    expect(none.text).toMatch(/^Receipts for/);
    await alice.taps(none, none.keyboard!.flat().find(({ text }) => text.endsWith("›"))!.text);
    expect((await alice.reads(/^Receipts for [^]+1 trade/)).photo).toBeDefined();
    await alice.taps(month, "‹");
    // No quote was requested for any of it.
    expect(requestsTo(desk, /^\/quotation$/).length - asked).toBeLessThanOrEqual(2);
    // Another user's receipt can't be opened.
    const bob = desk.person(people.bob);
    const own = await bob.asks("/start");
    desk.sandbox.telegram.press(people.bob, own.messageId, dataOf(done, "🧾"));
    expect((await bob.reads(/No receipt/)).text).not.toContain("KLV");
  });

  it("compares nothing with the pools if they couldn't be read for the card, in the user's language", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    desk.sandbox.faults.set("node", "5xx");
    const card = await alice.asks("/swap 100 KLV KFI");
    await alice.sees(card, /can't check this price/);
    desk.sandbox.faults.set("node", undefined);
    await alice.taps(card, "⚠️");
    await alice.confirms(card, /^✅ Swap/);
    await speaksPortuguese(alice);
    const receipt = await alice.asks("/receipt");
    expect(receipt.text).toContain(pt.notCompared);
    // It brought what was quoted.
    for (const label of [messages.pt.price.totalCost, pt.best, pt.quote]) expect(receipt.text).not.toContain(label);
    for (const typed of ["2026-13", "9999-12", "2026-12 2026-11", "ontem"]) {
      expect((await alice.asks(`/receipt ${typed}`)).text).toMatch(/^Envie \/receipt/);
    }
    const month = await alice.asks("/receipt mês");
    expect(month.text).toMatch(/1 troca · 0,98\d+ KFI$/);
    expect((await alice.asks("/receipt 2020-01")).text).toMatch(/Recibos de 2020-01 \(UTC\)\n\nNenhuma troca conclu/);
  });

  it("has no receipt for an unknown outcome until it is found", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const card = await comparedCard(alice, "/swap 100 KLV KFI");
    await losesAnswer(desk, alice, card);
    expect((await alice.asks("/receipt")).text).toMatch(/No receipt: this trade isn't finished/);
    expect((await alice.asks("/receipt month")).text).toMatch(
      /No finished trades in this month\.\n\n1 trade isn't counted/,
    );
    await until(() => alice.holds()["KLV"] === 9_900_000_000n);
    await alice.taps(card, "🔎 Check");
    await alice.sees(card, /It has arrived/);
    expect((await alice.asks("/receipt")).text).toMatch(/You received: 0\.98\d+ KFI/);
  });

  it("is summed up for operators in /admin, as volume and earnings by day", async () => {
    const desk = await sandboxDesk({ world: defaultWorld }, { ADMIN_USER_IDS: String(people.carol) });
    await trades(await desk.trader(), "/swap 1000 KLV KFI");
    const carol = desk.person(people.carol);
    await speaksPortuguese(carol);
    const panel = await carol.asks("/admin");
    await carol.taps(panel, "💰");
    const fees = await carol.sees(panel, /0,09\d+ KFI/);
    await carol.taps(fees, "📈");
    const volume = await carol.reads(/^KLV · Volume[^]+1 troca · 1\.000 KLV\nGanhos: 0,09\d+ KFI\n/);
    expect(volume.photo).toMatchObject({ width: 800, height: 500 });
    await carol.taps(volume, "Ganhos");
    await carol.taps(await carol.sees(volume, /^KLV · Ganhos/), "KFI");
    const earned = await carol.sees(volume, /^KFI · Ganhos[^\n]+: 0,09\d+ KFI/);
    expect(earned.photo?.fileId).not.toBe(volume.photo?.fileId);
    const csv = await (await nextFile(desk, carol, () => carol.taps(volume, "📄"))).text();
    expect(csv).toMatch(
      /^\uFEFF?day_utc,token,trades,volume,earned\r\n\d{4}-\d\d-\d\d,KLV,1,1000,0\r\n\d{4}-\d\d-\d\d,KFI,0,0,0\.09\d+\r\n$/,
    );
  });
});
