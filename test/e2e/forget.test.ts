import { expect, it } from "vitest";
import * as z from "zod";
import { addLaunch } from "../../src/services/trade/launch-record.js";
import { insertIntent } from "../../src/services/intent/intent-row.js";
import { keepDraft } from "../../src/services/operator/broadcast.js";
import { putAlert } from "../../src/services/alerts/price-alert-queries.js";
import { priceAlert } from "../services/alerts/price-alerts-world.js";
import { toJson, writeSetting } from "../../src/store/store.js";
import { intent, swapTerms } from "../cards/arrange.js";
import { launch } from "../services/trade/launch-samples.js";
import { addresses, type Desk, testDesk } from "../support/desk.js";
import { everyRow, inTablesOf, unhandledUpdates } from "../support/stored.js";
import { quoted } from "../support/stub-services.js";
import type { Person } from "../support/stub-telegram.js";

const orderId = "00000000-0000-4000-8000-000000000001";

const asker = (person: Person) => async (line: string, pattern: RegExp) => {
  person.says(line);
  return person.reads(pattern);
};

/** Confirms both steps. @returns the card, and the message that announces the deletion. */
async function asksToBeForgotten(person: Person) {
  const card = await asker(person)("/forget", /^What I keep about you/);
  person.taps(card, "🗑 Delete everything…");
  await person.sees(card, /^⚠️ Delete everything/);
  person.taps(card, "🗑 Yes");
  return [card, await person.reads(/I'll delete everything/)] as const;
}

async function swaps(person: Person) {
  const card = await asker(person)("/swap 100 KLV KFI", /You pay: 100 KLV/);
  person.taps(card, "✅ Confirm");
  return card;
}

/** Stores something about a user wherever user data is stored. */
async function leaveTraces(desk: Desk, userId: number) {
  const id = String(userId);
  const past = { ...intent(swapTerms, "OK", { kind: "ok", returnData: ["26bf", "0efc3c"] }), owner: userId };
  const access = { access: "asked", asked_at: 0 } as const;
  const forever = { CLAIMED: 1, OK: 1 };
  const told = { status: "open", filled: "0", averagePrice: "0" };
  // An update that ended the program three times.
  const deadly = { id: 1, user_id: userId, body: `{"from":${id}}`, received_at: Date.now(), starts: 4 };
  await inTablesOf(desk, async (tx) => {
    await tx.updateTable("users").set(access).where("id", "=", userId).execute();
    await insertIntent(tx, { ...past, id: "past1", times: forever });
    await insertIntent(tx, { ...intent(swapTerms, "UNKNOWN"), id: "past2", owner: userId });
    await insertIntent(tx, { ...intent(swapTerms, "CANCELED"), id: "past3", owner: userId });
    await writeSetting(tx, { name: `fees/${id}`, schema: z.unknown(), initial: {} }, {});
    await keepDraft(tx, userId, { reason: "repairs" });
    await tx.insertInto("updates").values(deadly).execute();
    await addLaunch(tx, userId, launch());
    const watch = { user_id: userId, order_id: orderId, since: 0, muted: 0, told: toJson(told) };
    await tx.insertInto("watches").values(watch).execute();
    const news = { kind: "big-trades", subject: "KFI", least: "1", since: 0, told: 0, due_at: null, away: null };
    await tx
      .insertInto("news_watches")
      .values({ ...news, user_id: userId })
      .execute();
    await putAlert(tx, priceAlert({ userId, endsAt: Date.now() + 86_400_000 }), 0);
  });
}

it("/forget offers the history, asks twice, is delayed, can be undone, and is cancelled by a freeze and refused after it", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "" });
  const person = await desk.trader();
  const asks = asker(person);
  expect((await asker(desk.stranger())("/forget", /./)).text).toMatch(/I keep nothing about you/);

  const card = await asks("/forget", /^What I keep about you/);
  person.taps(card, "📄");
  await expect.poll(() => desk.telegram.calls.some(({ method }) => method === "sendDocument")).toBe(true);
  person.taps(card, "🗑");
  await person.sees(card, /^⚠️ Delete everything/);
  person.taps(card, "↩️");
  await person.sees(card, /Nothing will be deleted/);

  const [, waits] = await asksToBeForgotten(person);
  const when = /On (.*?),/.exec(waits.text)![1]!;
  // Neither a second request nor a restart starts the delay again.
  await desk.crash();
  desk.start();
  expect((await asks("/forget", /I'll delete everything/)).text).toContain(when);
  expect((await asks("/security", /Recent changes/)).text).toContain(`On ${when}, I'll delete everything`);
  person.taps(waits, "↩️");
  await person.sees(waits, /Nothing will be deleted/);
  expect((await asks("/security", /Recent changes/)).text).not.toContain("I'll delete everything");

  const [confirmed] = await asksToBeForgotten(person);
  await asks("/freeze", /^🧊 Frozen/);
  expect((await asks("/security", /Recent changes/)).text).not.toContain("I'll delete everything");
  await asks("/forget", /account is frozen/);
  person.forges(confirmed, `v1:forget:now.${Math.floor(Date.now() / 1000)}`);
  await expect.poll(() => person.tapAnswers().at(-1)).toMatch(/account is frozen/);
  expect((await asks("/security", /Recent changes/)).text).not.toContain("I'll delete everything");
});

it("/forget takes as long as raising a limit, if there are limits", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const asks = asker(person);
  person.taps(await asks("/security", /Recent changes/), "Set a limit");
  await person.reads(/Send a token/);
  await asks("KLV 10 / 50", /10 KLV per transaction/);
  const [, waits] = await asksToBeForgotten(person);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect(waits.text).toContain(tomorrow);
  expect((await asks("/swap 100 KLV KFI", /over your/)).text).toContain("10 KLV");
});

it("when the time has come, even after a kill, all data of the user is deleted, and they start as a new user", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "3" });
  const [person, other] = [await desk.trader(), await desk.trader()];
  for (const one of [person, other]) await one.sees(await swaps(one), /not yet confirmed/);
  await desk.crash();
  await leaveTraces(desk, person.id);
  expect((await everyRow(desk)).match(new RegExp(`\\b${person.id}\\b`, "g"))!.length).toBeGreaterThan(9);
  desk.start();
  const open = await asker(person)("/swap 200 KLV KFI", /You pay: 200 KLV/);
  await asksToBeForgotten(person);
  await desk.crash();
  desk.start();
  await person.reads(/I have deleted everything/);
  await person.sees(open, /[Cc]ancelled/);
  await desk.crash();
  const left = await everyRow(desk);
  expect(left).not.toMatch(new RegExp(`\\b${person.id}\\b`));
  expect(left).not.toContain(orderId);
  expect(left).toMatch(new RegExp(`^users ${other.id} `, "m"));
  desk.start();
  await asker(person)("/start", /Welcome to Swapdesk/);
  await asker(person)("/history", /Nothing here yet/);
  await asker(other)("/history", /100 KLV/);
});

it("the deletion waits for a call in progress, and for its outcome to be shown", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "8", HTTP_TIMEOUT_SECONDS: "60", QUOTE_TTL_SECONDS: "600" });
  const [person, other] = [await desk.trader(), await desk.trader()];
  const call = await asker(person)("/swap 100 KLV KFI", /You pay: 100 KLV/);
  let answer = (): void => undefined;
  const { onCall } = desk.services;
  desk.services.onCall = async (request) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return onCall(request);
  };
  await asksToBeForgotten(person);
  await person.confirms(call, /sending/);
  // The other user asked later and is deleted, so the first one's time has come too.
  await asksToBeForgotten(other);
  await other.reads(/I have deleted everything/);
  expect(person.transcript().join("\n")).not.toContain("I have deleted everything");
  answer();
  await person.reads(/I have deleted everything/);
  const shown = person.transcript();
  const ended = shown.findIndex((text) => /not yet confirmed/.test(text));
  expect(ended).toBeGreaterThan(-1);
  expect(ended).toBeLessThan(shown.findIndex((text) => text.includes("I have deleted everything")));
  expect(desk.services.calls()).toHaveLength(1);
});

it("without a delay /forget deletes at once, and a second, redelivered or old tap doesn't delete a user who came back", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const card = await asker(person)("/forget", /^What I keep about you/);
  person.taps(card, "🗑");
  await person.sees(card, /at once and can't be undone/);
  const { data } = card.buttons.find(({ text }) => text.startsWith("🗑"))!;
  const tap = person.taps(card, "🗑");
  person.forges(card, data);
  await person.reads(/I have deleted everything/);
  await expect.poll(() => person.tapAnswers().at(-1)).toMatch(/no longer active/);
  desk.telegram.redeliver(tap);
  await desk.telegram.allConfirmed();
  await expect.poll(() => unhandledUpdates(desk)).toEqual([]);
  await desk.crash();
  expect(await everyRow(desk)).not.toMatch(new RegExp(`\\b${person.id}\\b`));
  desk.start();
  desk.telegram.redeliver(tap);
  await asker(person)("/start", /Welcome to Swapdesk/);
  expect(person.transcript().filter((text) => text.includes("I have deleted everything"))).toHaveLength(1);
  await asker(person)(`/wallet ${addresses.person}`, /Saved/);
  person.forges(
    card,
    data.replace(/[0-9]+$/, (seconds) => `${Number(seconds) - 601}`),
  );
  await expect.poll(() => person.tapAnswers().at(-1)).toMatch(/no longer active/);
  await asker(person)("/wallet", /Your wallet address/);
});

it("what asked a service before the deletion, or waited for its turn, writes nothing once that is answered", async () => {
  const desk = await testDesk({ GUARD_DELAY_SECONDS: "4", HTTP_TIMEOUT_SECONDS: "30", QUOTE_TTL_SECONDS: "600" });
  const [person, other] = [await desk.trader(), await desk.trader()];
  await asksToBeForgotten(person);
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  desk.services.onQuotation = async () => {
    await answered;
    return quoted;
  };
  // The first of them asks, the others wait behind it.
  const lines = [
    "/swap 100 KLV KFI",
    "/alert KFI above 200",
    "/limit 100 KLV KFI for 100",
    "/dca 10 KLV KFI daily 09:00 x3",
    "/portfolio",
    "/newpairs",
  ];
  for (const line of lines) person.says(line);
  other.says("/swap 100 KLV KFI");
  await person.reads(/I have deleted everything/);
  answer();
  await other.reads(/You pay: 100 KLV/);
  for (const _line of lines) await person.reads(/I deleted everything about you meanwhile/);
  await desk.crash();
  const rows = await everyRow(desk);
  expect(rows).not.toMatch(new RegExp(`\\b${person.id}\\b`));
  expect(rows).toMatch(new RegExp(`^users ${other.id} `, "m"));
  desk.start();
  await asker(person)("/start", /Welcome to Swapdesk/);
});
