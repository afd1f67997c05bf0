import { describe, expect, it } from "vitest";
import {
  comparedCard,
  defaultWorld,
  labelsOf,
  people,
  sandboxDesk,
  type SandboxDesk,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { inTablesOf } from "../support/stored.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";

/** A desk whose bot and sandbox share a fast clock: each price is polled every 1.5 seconds. */
async function alertsDesk() {
  const patient = { HTTP_TIMEOUT_SECONDS: "100", QUOTE_TTL_SECONDS: "600", PRICE_POLL_RPS: "20" };
  const desk = await sandboxDesk({ clock: createSwiftClock(10) }, patient);
  const isPair = ({ firstToken, secondToken }: { readonly firstToken: string; readonly secondToken: string }) =>
    [firstToken, secondToken].toSorted().join() === "KFI,KLV";
  const { address } = desk.sandbox.chain.pools().find(isPair)!;
  /** Changes the price of KFI in KLV, in percent. */
  const push = (percent: number) => desk.sandbox.chain.pushPrice(address, "KFI", percent);
  return { ...desk, push };
}

/** What an alert says first: which way, how far, from where and to where. */
const NEWS = {
  above: /^📈 KFI \+[0-9.]+%: [0-9.]+ → ([0-9.]+) KLV\n🔔 KFI above 150 KLV · /,
  below: /^📉 KFI −[0-9.]+%: [0-9.]+ → ([0-9.]+) KLV\n🔔 KFI below 150 KLV · /,
  move: /^📈 KFI \+[0-9.]+%: [0-9.]+ → ([0-9.]+) KLV\n🔔 KFI ±5% in KLV · /,
};

const told = (desk: SandboxDesk, id: number) =>
  desk.sandbox.telegram.chat(id).filter(({ from, text }) => from === "bot" && /^(?:📈|📉) /u.test(text));

const asked = ({ sandbox }: SandboxDesk) =>
  sandbox.wireLog.entries().filter(({ path }) => path === "/quotation").length;

describe("price alerts", () => {
  it("are set by command, sent when the price is reached, paused, edited and deleted", async () => {
    const desk = await alertsDesk();
    const bob = desk.person(people.bob);
    await bob.asks(`/wallet ${desk.address("Bob")}`);
    const card = await bob.asks("/alert 10 KFI above 150 KLV 30d");
    expect(card.text).toMatch(/^KFI above 150 KLV\n1 KFI = \d+/);
    expect(card.text).toMatch(/Quoted price for selling 10 KFI/);
    // An identical alert isn't added.
    await bob.asks("/alert 10 KFI above 150 KLV 30d");
    const list = await bob.asks("/alerts");
    expect(labelsOf(list)).toEqual(["KFI above 150 KLV"]);

    desk.push(100);
    const alert = await bob.reads(NEWS.above);
    expect(Number(NEWS.above.exec(alert.text)![1])).toBeGreaterThan(150);
    // One tap from the trade that it is about, with what it gives now.
    await bob.taps(alert, "💱 10 KFI → KLV");
    const quote = await bob.reads(/^Swap KFI → KLV\nYou pay: 10 KFI\nYou get about: [0-9.,]+ KLV/);
    expect(labelsOf(quote)).toContain("✅ Confirm swap");
    await bob.taps(alert, "🔔 Open alert");
    const opened = await bob.reads(/^KFI above 150 KLV[^]*already there/);

    await bob.taps(opened, "⏸ Pause");
    await bob.sees(opened, /⏸ Paused/);
    await bob.taps(opened, "✏️ Edit");
    await bob.reads(/when should I alert you/);
    await bob.asks("nothing", /when should I alert you|Send a token/);
    const edited = await bob.asks("below 150", /^KFI below 150 KLV/);
    expect(edited.text).not.toMatch(/Paused/);
    // Quiet hours aren't mentioned to somebody without them.
    expect(labelsOf(edited).join()).not.toContain("🌙");
    await bob.taps(await bob.asks("/settings", /Quiet hours: none/), "🌙 Quiet hours");
    await bob.reads(/When are your quiet hours/);
    await bob.asks("00:00-23:59", /Quiet hours: 00:00–23:59/);
    await bob.taps(alert, "🔔 Open alert");
    const quiet = await bob.reads(/^KFI below 150 KLV[^]*waits until they end/);
    await bob.taps(quiet, "🌙 Also");
    await bob.sees(quiet, /comes in quiet hours too/);
    desk.push(-50);
    await bob.reads(NEWS.below);
    expect(told(desk, bob.id)).toHaveLength(2);
    await bob.taps(quiet, "🗑 Delete");
    await bob.sees(quiet, /You have no price alerts/);
  });

  it("that rounding could set off are refused, with a larger amount to tap", async () => {
    const desk = await alertsDesk();
    const bob = desk.person(people.bob);
    const refused = await bob.asks("/alert 0.000001 KFI 2% KLV 30d", /rounding could set this alert off/);
    const [label] = refused.keyboard!.flat().map(({ text }) => text);
    expect(label).toMatch(/^0\.\d+ KFI$/);
    await bob.taps(refused, label!);
    const set = await bob.reads(/^KFI ±2% in KLV/);
    expect(set.text).toContain(`Quoted price for selling ${label}`);
    // The default amount is enough by itself.
    expect((await bob.asks("/alert KFI 0.5%")).text).toMatch(/^KFI ±0\.5% in KLV/);
  });

  it("are set by dialog, by buttons, and in Portuguese", async () => {
    const desk = await alertsDesk();
    const bob = desk.person(people.bob);
    const question = await bob.asks("/alert", /The price of which token/);
    await bob.taps(question, "KFI");
    const rule = await bob.reads(/KFI KLV: when should I alert you/);
    await bob.taps(rule, "5%");
    await bob.reads(/^KFI ±5% in KLV/);
    desk.push(100);
    await bob.reads(NEWS.move);

    const quote = await bob.asks("/quote 100 KLV KFI");
    await bob.taps(quote, "🔔 Price alert");
    await bob.taps(await bob.reads(/100 KLV KFI: when/), "10%");
    expect((await bob.reads(/^KLV ±10% in KFI/)).text).toMatch(/Quoted price for selling 100 KLV/);
    const token = await bob.asks("KFI");
    await bob.taps(token, "🔔 Price alert");
    await bob.reads(/^KFI KLV: when/);
    await bob.asks("above 1000000", /^KFI above 1,000,000 KLV/);

    await speaksPortuguese(bob);
    await bob.asks("/alert 10 KFI abaixo de 0,5 KLV");
    const list = await bob.asks("/alerts", /Seus alertas de preço/);
    expect(labelsOf(list)).toContain("KFI abaixo de 0,5 KLV");
    await bob.asks("/alert KFI 1,5 KLV", /Acima ou abaixo de 1,5\?/);
    await bob.asks("/alert KFI 0,1%", /^0,1% está fora dos limites/);
    await bob.asks("/alert 1,5 KFI", /^1,5 KFI: quando devo avisar/);
    const alert = await bob.asks("acima de 0,5", /^KFI acima de 0,5 KLV[^]*1,5 KFI/);
    await bob.taps(alert, "✏️");
    await bob.reads(/^1,5 KFI KLV: quando devo avisar/);
  });

  it("are set from a finished trade", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const trade = await comparedCard(alice, "/swap 10 KLV KFI");
    const done = await alice.confirms(trade, /^✅ Swap/);
    await alice.taps(done, "🔔 Price alert");
    await alice.taps(await alice.reads(/^KFI KLV: when/), "5%");
    await alice.reads(/^KFI ±5% in KLV/);
  });

  it("are refused if invalid, each with its reason, and beyond 50 per user", async () => {
    const desk = await alertsDesk();
    const bob = desk.person(people.bob);
    const refused: readonly (readonly [string, RegExp])[] = [
      ["/alert KFI 120 KLV", /Above or below 120\? For example: \/alert/],
      ["/alert above 120", /Which token\? For example: \/alert/],
      ["/alert KFI above", /At which price\? For example/],
      ["/alert KFI above 0", /price is zero[^]+For example: \/alert/],
      ["/alert KFI above -5", /negative/],
      ["/alert KFI above 1e5", /scientific notation/],
      ["/alert KFI above 0.0000000001", /too low for this amount\. For example/],
      ["/alert 0 KFI above 1", /is zero/],
      ["/alert KFI 0.01%", /0\.5% to 999%/],
      ["/alert KFI above 5%", /not both/],
      ["/alert KFI above 120 KLV 2y", /a year at most/],
      ["/alert KFI above 120 KLV 2020-01-01", /a year at most/],
      ["/alert KLV above 1 KLV", /two different tokens/],
      ["/alert NOPE above 1", /don't know the token/],
      ["/alert KFI above 1 KLV KLV KLV", /Send a token with a price/],
    ];
    for (const [line, reason] of refused) {
      await bob.asks(line, reason);
    }
    expect((await bob.asks("/alerts")).text).toMatch(/no price alerts/);
    for (let price = 1; price <= 50; price += 1) {
      await bob.asks(
        `/alert 10 KFI above ${1000 + price}`,
        new RegExp(`^KFI above 1,0${String(price).padStart(2, "0")} KLV`),
      );
    }
    const full = await bob.asks("/alert 10 KFI above 5000");
    expect(full.text).toMatch(/50 price alerts, the maximum/);
    await bob.taps(full, "/alerts");
    await bob.reads(/Page 1 of 10/);
  });

  it("continue while the user is frozen, wait while they block the bot, and are deleted with their data", async () => {
    const desk = await alertsDesk();
    const { telegram } = desk.sandbox;
    const bob = desk.person(people.bob);
    await bob.asks("/alert 10 KFI above 150 KLV");
    await bob.asks("/freeze");
    desk.push(100);
    await bob.reads(NEWS.above);
    await bob.asks("/unfreeze");

    telegram.setBlocked(bob.id, true);
    desk.push(-50);
    const before = asked(desk);
    await until(() => asked(desk) >= before + 3);
    desk.push(100);
    // Nobody else has an alert on it, so polling stops once Telegram says that the bot is blocked.
    const polled = () =>
      inTablesOf(desk.place, (tx) =>
        tx.selectFrom("price_questions").select("id").where("due_at", "is not", null).execute(),
      );
    await until(async () => (await polled()).length === 0);
    telegram.setBlocked(bob.id, false);
    await bob.asks("/alerts", NEWS.above);

    const kept = await bob.asks("/forget", /^What I keep about you/);
    await bob.taps(kept, "🗑 Delete everything");
    await bob.sees(kept, /^⚠️ Delete everything/);
    await bob.taps(kept, "🗑 Yes");
    await bob.reads(/I have deleted everything/);
    await bob.asks("/alerts", /no price alerts/);
  });

  it("are delayed, not lost, by an outage and a restart", async () => {
    const desk = await alertsDesk();
    const bob = desk.person(people.bob);
    await bob.asks("/alert 10 KFI above 150 KLV");
    desk.sandbox.faults.set("quotation", "5xx");
    desk.push(100);
    await desk.restart();
    expect(told(desk, bob.id)).toHaveLength(0);
    desk.sandbox.faults.set("quotation", undefined);
    await bob.reads(NEWS.above);
    await desk.restart();
    const before = asked(desk);
    await until(() => asked(desk) >= before + 3);
    // A duplicate would have been queued before this alert.
    await bob.asks("/alert 10 KFI below 150 KLV", /^KFI below/);
    desk.push(-50);
    await bob.reads(NEWS.below);
    expect(told(desk, bob.id)).toHaveLength(2);
  });
});
