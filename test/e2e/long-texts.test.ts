import { menuCommands } from "../../src/cards/menu.js";
import { expect, it } from "vitest";
import { buttons, NO_LINK } from "../../src/cards/buttons.js";
import type { Setting } from "../../src/conversations/settings.js";
import { features } from "../support/features.js";
import { messages } from "../../src/locales/messages.js";
import { freePort } from "../support/listen.js";
import { longTexts } from "../support/long-texts.js";
import { people, sandboxDesk, type SandboxDesk, type SandboxPerson } from "../support/sandbox-desk.js";
import { stopwatch } from "../support/stopwatch.js";

/** Maximum length of a message, and of text that the bot reads. */
const [MAX_LENGTH, LONG] = [4096, 500];
/** An answer that no question accepts. */
const WRONG = "?";
/** Fewer wrong answers than end a dialog. */
const BATCH = 4;

/** The command or button data that opens a dialog, and answers that lead from question to question. */
type Walk = readonly [open: string, ...answers: readonly string[]];

const settings: Record<Setting, Walk> = {
  slippage: ["v1:set:custom-slippage"],
  presets: ["v1:set:presets"],
  timezone: ["v1:set:timezone"],
  quiet: [`v1:${buttons.quietHours.verb}:ask`],
  limit: [`v1:${buttons.guard.verb}:limit`],
  phrase: [`v1:${buttons.guard.verb}:phrase`],
};

const lpToken = "LPDVKUSDT-A1B2";

function walks(launchId: string): Readonly<Record<string, Walk>> {
  const step = (name: string) => `v1:launch:${launchId}/${name}`;
  return {
    swap: ["/swap", "KLV", "KFI"],
    quote: ["/quote", "KLV", "KFI"],
    multihop: ["/multihop"],
    lock: ["/lock", "KLV", "1"],
    unlock: ["/unlock", "LKTOK-1A2B/7"],
    order: ["/order"],
    alert: ["/alert", "KFI"],
    limit: ["/limit", "KLV", "KFI", "1", "50", "7d"],
    stoploss: ["/stoploss", "KFI", "KLV", "1", "50", "7d"],
    exit: ["/exit", "KFI"],
    dca: ["/dca", "KLV", "KFI", "1", "weekly", "monday", "09:00", "2"],
    wallet: ["/wallet"],
    signals: [`v1:${buttons.link.verb}:new.${NO_LINK}`],
    addresses: ["v1:wa:new", "klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5"],
    launch: ["v1:launch:new", "KLV", "USDT-2AB1", "LPKLVUSDT"],
    "launch-pair": [step("did.create-pair")],
    "launch-liquidity": [step("do.add-liquidity"), "1"],
    "launch-lock": [step("do.lock"), lpToken, "1"],
    "launch-locked": [step("did.lock"), lpToken, "LKTOK-1A2B/7", "1"],
  };
}

/** A user with a payout address, and a message of theirs with buttons. */
async function trader(desk: SandboxDesk) {
  const alice = await desk.trader();
  const checklist = await alice.asks("/launch DVK-34ZH USDT-2AB1");
  const [, launchId = ""] = /launch:([\w-]+)\//.exec(JSON.stringify(checklist.keyboard)) ?? [];
  return { alice, checklist, launchId };
}

/** Texts between words, and mixtures: every sixth, or all in `npm run test:full`. typed-text.test.ts has all texts. */
const textsOf = (length: number) =>
  [...longTexts(length)]
    .filter(([name]) => /between words|mixture/.test(name))
    .filter((_, index) => process.env["FULL"] !== undefined || index % 12 === 0)
    .map(([, text]) => text);

/** Milliseconds until all texts are answered. */
async function timeOf(person: SandboxPerson, texts: readonly string[]): Promise<number> {
  const took = stopwatch();
  for (const text of texts) await person.asks(text);
  return took();
}

/** Long answers may take as long as short ones; the rest is slack for a slow machine. */
const mostFor = (short: number) => 5 * short + 1000;

const dialogs = Object.keys({ ...walks(""), ...settings });

it("the walks below cover every form", () => {
  const names = features.flatMap(({ forms = [] }) => forms.map(({ id }) => id.replace(/\.\d+$/, "")));
  expect(names.toSorted()).toEqual([...Object.keys(walks("")), "settings", "security"].toSorted());
});

it.each(dialogs)("a dialog answers any long text as quickly as a short one: %s", async (id) => {
  // Only a bot with an address of its own makes links.
  const port = String(await freePort());
  const desk = await sandboxDesk({}, id === "signals" ? { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` } : {});
  const { alice, checklist, launchId } = await trader(desk);
  // Only a user without a payout address is asked for one.
  const person = id === "wallet" ? desk.person(people.bob) : alice;
  // It asks for the city only once, as `timezone` does.
  if (id === "dca") {
    desk.sandbox.telegram.press(alice.id, checklist.messageId, settings.timezone[0]);
    await alice.reads(/city/);
    await alice.asks("Lisbon");
  }
  const [longest = "", long] = [textsOf(MAX_LENGTH).at(-1), textsOf(LONG)];
  const walk = { ...walks(launchId), ...settings }[id] ?? ["none"];
  const questions = new Set<string>();
  for (let answered = 0; answered < walk.length; answered += 1) {
    const open = async () => {
      const [opening, ...answers] = walk.slice(0, answered + 1) as unknown as Walk;
      if (opening.startsWith("/")) person.says(opening);
      else desk.sandbox.telegram.press(person.id, checklist.messageId, opening);
      let question = await person.reads(/./);
      for (const answer of answers) question = await person.asks(answer);
      return question.text;
    };
    questions.add(await open());
    const short = await timeOf(person, Array<string>(BATCH).fill(WRONG));
    for (let from = 0; from < long.length; from += BATCH) {
      await open();
      // Text that is too long isn't read, and leaves the dialog where it was.
      expect(await timeOf(person, [longest])).toBeLessThan(mostFor(short));
      expect(desk.sandbox.telegram.chat(person.id).at(-1)!.text).toBe(messages.en.common.tooLong(LONG));
      expect(await timeOf(person, long.slice(from, from + BATCH))).toBeLessThan(mostFor(short));
      expect((await person.asks("/cancel")).text).toBe(messages.en.common.dialogLeft);
    }
  }
  expect(questions.size).toBe(walk.length);
});

it("commands, other messages and replies to a card are answered as quickly with any long text", async () => {
  const desk = await sandboxDesk({}, { ADMIN_USER_IDS: String(people.alice) });
  const { alice } = await trader(desk);
  const card = await alice.asks("/swap 1 KLV KFI");
  const { telegram } = desk.sandbox;
  const begins = ["freeze", ...Object.values(menuCommands).flat(), "admin", "admin pause", "broadcast"].map(
    (name) => `/${name} `,
  );
  for (const begin of ["", ...begins]) {
    const short = await timeOf(alice, [begin + WRONG, begin + WRONG]);
    // Most commands don't read a longer text.
    for (const length of /^$|freeze|broadcast/.test(begin) ? [LONG, MAX_LENGTH] : [LONG]) {
      const texts = textsOf(length - begin.length).map((text) => begin + text);
      expect(await timeOf(alice, texts), begin).toBeLessThan(mostFor((texts.length / 2) * short));
    }
  }
  for (const text of textsOf(LONG)) {
    const took = stopwatch();
    telegram.sendText(alice.id, text, { replyTo: card.messageId });
    await alice.reads(/./);
    expect(took()).toBeLessThan(mostFor(0));
  }
});
