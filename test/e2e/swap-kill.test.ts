import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { people } from "../../src/model/person.js";
import { testDesk, type Desk } from "../support/desk.js";
import { seededRandom } from "../support/seed.js";
import { storedDocument, storedIds } from "../support/stored.js";
import { carriedOut, quoted } from "../support/stub-services.js";
import { accepted } from "../support/as-read.js";

/** When the process is killed, counted from the tap on confirm. Most are moments in its course, the others chance. */
const moments: Readonly<Record<string, (desk: Desk) => void>> = {
  "when the tap is answered": (desk) => onApiCall(desk, ({ method }) => method === "answerCallbackQuery"),
  "when the price is asked again": (desk) => {
    desk.services.onQuotation = () => killing(desk, "hang");
  },
  "when the price is answered": (desk) => {
    desk.services.onQuotation = () => killing(desk, quoted);
  },
  "when the card says that it is being sent": (desk) => onApiCall(desk, ({ method }) => method === "editMessageText"),
  "when the call arrives": (desk) => {
    desk.services.onCall = () => killing(desk, "hang");
  },
  "when the call is answered": (desk) => {
    desk.services.onCall = () => killing(desk, carriedOut);
  },
  "shortly after the call was answered": (desk) => {
    desk.services.onCall = () => {
      setTimeout(() => desk.program().kill("SIGKILL"), 4);
      return carriedOut;
    };
  },
  "when the card says how it ended": (desk) =>
    onApiCall(desk, ({ parameters }) => accepted.test(JSON.stringify(parameters))),
};

function killing<Value>(desk: Desk, value: Value): Value {
  desk.program().kill("SIGKILL");
  return value;
}

function onApiCall(desk: Desk, isMeant: (call: { method: string; parameters: object }) => boolean): void {
  desk.telegram.intercept = (call) => (isMeant(call) ? killing(desk, "drop") : undefined);
}

const RANDOM_KILLS = 12;
const LONGEST_WAIT_MILLISECONDS = 45;

it("at most one call leaves for a card, whenever the process is killed, and the card tells the truth", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  const random = seededRandom("kills around a confirm");
  const kills = [
    ...Object.entries(moments),
    ...Array.from({ length: RANDOM_KILLS }, (_, index): [string, undefined] => [`by chance, ${index}`, undefined]),
  ];
  const endings: string[] = [];
  for (const [index, [name, arm]] of kills.entries()) {
    const amount = 500 + index;
    const calls = () => desk.services.callsOf(`KLV=${amount}000000`);
    person.says(`/swap ${amount} KLV KFI`);
    const card = await person.reads(new RegExp(`You pay: ${amount} KLV`));

    arm?.(desk);
    person.taps(card, "✅ Confirm");
    person.taps(card, "✅ Confirm");
    if (arm === undefined) {
      await sleep(random() * LONGEST_WAIT_MILLISECONDS);
      desk.program().kill("SIGKILL");
    }
    await desk.program().ended;
    const callsBefore = calls().length;
    desk.telegram.intercept = () => undefined;
    desk.services.onQuotation = () => quoted;
    desk.services.onCall = () => carriedOut;
    desk.start();

    await person.sees(card, /accepted it|Outcome unknown/);
    await desk.telegram.allConfirmed();
    const outcome = accepted.test(card.text) ? "ok" : "unknown";
    endings.push(`${name}: ${callsBefore} call(s) before, ${calls().length} after, ${outcome}`);
    expect(calls().length, name).toBeLessThanOrEqual(1);
    if (outcome === "ok") expect(calls().length, name).toBe(1);
    if (name === "when the call arrives") expect(outcome).toBe("unknown");
  }
  // Otherwise this would have shown nothing: some were killed with a call out, and some before there was any.
  expect(endings.filter((ending) => ending.endsWith("unknown")).length, endings.join("\n")).toBeGreaterThan(2);
  expect(endings.filter((ending) => ending.endsWith("ok")).length, endings.join("\n")).toBeGreaterThan(0);
}, 240_000);

it("tells whoever was interrupted in a message of its own, once", async () => {
  const desk = await testDesk();
  const person = await desk.trader();
  person.says("/swap 550 KLV KFI");
  const card = await person.reads(/KLV → KFI/);
  desk.services.onCall = () => killing(desk, "hang");
  person.taps(card, "✅ Confirm");
  await desk.program().ended;
  desk.services.onCall = () => carriedOut;
  desk.start();
  await person.sees(card, /Outcome unknown/);
  const told = () => person.transcript().filter((text) => /^⚠️ Outcome unknown\. I was interrupted/.test(text));
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toMatch(/may or may not have been carried out/);

  // A crash before this is on disk may repeat it.
  await expect
    .poll(async () => {
      const [id = ""] = await storedIds(desk, people);
      return Object.values((await storedDocument(desk, people, id))?.intents ?? {}).map(({ shownState }) => shownState);
    })
    .toContain("UNKNOWN");
  await desk.crash();
  desk.start();
  person.says("/help");
  await person.reads(/\/history/);
  // Whatever else it would tell has left when it ends.
  desk.program().kill("SIGTERM");
  expect(await desk.program().ended).toBe(0);
  expect(told()).toHaveLength(1);
  expect(desk.services.callsOf("KLV=550000000")).toHaveLength(1);
});
