import { messages } from "../../src/locales/messages.js";
import { storeEnvironment } from "./engine.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DestinationStream } from "pino";
import { expect, onTestFinished } from "vitest";
import { botEnvironment } from "../../sandbox/bot-environment.js";
import world from "../../data/world.json" with { type: "json" };
import type { WorldJson } from "../../sandbox/world.js";
import { startSandbox, type Sandbox, type SandboxSetup } from "../../sandbox/sandbox.js";
import type { WireEntry } from "../../sandbox/wire-log.js";
import { systemClock, type Clock } from "../../src/clock.js";
import { startApp, type App } from "../../src/app/app.js";
import { readConfig } from "../../src/config.js";
import { accepted, asRead } from "./as-read.js";
import { until } from "./until.js";

/** The default world. */
export const defaultWorld = world as WorldJson;

/** A world whose node offers only what the interface documents. */
export const documentedWorld: WorldJson = {
  ...defaultWorld,
  options: { ...defaultWorld.options, tellsBalances: false },
};

/** Telegram ids of users of the default world. */
export const people = { alice: 1001, bob: 1002, carol: 1003 } as const;

type ChatMessage = ReturnType<Sandbox["telegram"]["chat"]>[number];

/** The whole bot in this process, with its own sandbox. */
export type SandboxDesk = Awaited<ReturnType<typeof sandboxDesk>>;
/** A user in the sandbox's chat. */
export type SandboxPerson = ReturnType<SandboxDesk["person"]>;

const MUTABLE = ["swap", "multiPairSwap", "lockTokens", "unlockTokens"];

interface DeskSetup extends SandboxSetup {
  /** The bot uses it too, unless `startBot` is given. */
  readonly clock?: Clock;
  /** Whether programs can propose trades by the sandbox's address; by default, only in wallet mode. */
  readonly servesPrograms?: boolean;
  /** Replaces starting the bot in this process. */
  readonly startBot?: (environment: Readonly<Record<string, string>>) => Pick<App, "stop">;
}

/** A desk that is closed when the test ends. `environment` overrides single variables of the sandbox's. */
export async function sandboxDesk(
  setup: DeskSetup = {},
  environment: Readonly<Record<string, string>> = {},
  /** Receives the bot's log; without it, nothing is logged. */
  logTo?: DestinationStream,
) {
  const started = await startSandbox({ ...setup, world: setup.world ?? documentedWorld });
  // The sandbox keeps the last 500 requests; what counts them, such as the calls of a confirm, needs all.
  const requests: WireEntry[] = [];
  started.wireLog.subscribe((entry) => requests.push(entry));
  const sandbox = { ...started, wireLog: { ...started.wireLog, entries: (): readonly WireEntry[] => requests } };
  const folder = await mkdtemp(join(tmpdir(), "swapdesk-sandbox-desk-"));
  const stored = await storeEnvironment();
  const tokensFile = join(folder, "tokens.json");
  await writeFile(tokensFile, JSON.stringify(sandbox.world.tokens));

  const start = async (changed: Readonly<Record<string, string>> = {}): Promise<Pick<App, "stop">> => {
    const variables = {
      ...botEnvironment(sandbox, { storeDir: join(folder, "store"), tokensFile }, setup.servesPrograms),
      // Most tests don't test the delay.
      GUARD_DELAY_SECONDS: "0",
      ...stored,
      LOG_LEVEL: logTo === undefined ? "silent" : "debug",
      ...environment,
      ...changed,
    };
    if (setup.startBot !== undefined) return setup.startBot(variables);
    const read = readConfig(variables);
    if (!read.ok) throw new Error(read.faults.join("\n"));
    const clock = { ...systemClock, ...setup.clock, now: sandbox.time.clock.now };
    return startApp(read.config, { clock, ...(logTo && { logTo }) });
  };
  let app = await start();
  onTestFinished(async () => {
    await app.stop();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  const answers = new Map<string, string>();
  sandbox.telegram.subscribe((event) => {
    if (event.type === "callback-answer") answers.set(event.callbackQueryId, event.text ?? "");
  });
  const accounts = () => sandbox.chain.balances();
  const unitsOf = (balances: Readonly<Record<string, string>> | undefined) =>
    Object.fromEntries(Object.entries(balances ?? {}).map(([asset, units]) => [asset, BigInt(units)]));

  const person = (id: number) => {
    const { telegram } = sandbox;
    let lastRead = 0;
    /** Makes only matching messages readable: a chat can be long, and is read often. */
    const chat = (matters: (message: ChatMessage) => boolean) =>
      telegram
        .chat(id)
        .filter(matters)
        .map((message) => ({ ...message, text: asRead(message.text) }));
    const find = (messageId: number) => chat((message) => message.messageId === messageId)[0];

    /** Waits for the bot's first unread message that matches. */
    const reads = async (pattern: RegExp): Promise<ChatMessage> => {
      const unread = () => chat((one) => one.from === "bot" && one.messageId > lastRead);
      const match = () => unread().find(({ text }) => pattern.test(text));
      const texts = () =>
        unread()
          .map(({ text }) => text)
          .join("\n---\n");
      await until(
        () => match() !== undefined,
        () => `no message matches ${String(pattern)}; unread are:\n${texts()}`,
      );
      const found = match()!;
      lastRead = found.messageId;
      return found;
    };

    /** Taps the button whose label begins with `label`; resolves with the text of the answer to the tap. */
    const taps = async (message: ChatMessage, label: string): Promise<string> => {
      const shown = () => find(message.messageId) ?? message;
      const buttonNow = () =>
        shown()
          .keyboard?.flat()
          .find((one) => one.text.startsWith(label));
      // A card is edited after its tap was answered, so the button may not be there yet.
      await until(
        () => buttonNow()?.data !== undefined,
        () => `no button ${label} under:\n${shown().text}`,
      );
      const { callbackQueryId } = telegram.press(id, message.messageId, buttonNow()!.data!);
      await until(() => answers.has(callbackQueryId));
      return answers.get(callbackQueryId)!;
    };

    /** Waits until the message matches. */
    const sees = async (message: ChatMessage, pattern: RegExp): Promise<ChatMessage> => {
      const textNow = () => find(message.messageId)?.text ?? "";
      await until(
        () => pattern.test(textNow()),
        () => `does not match ${String(pattern)}:\n${textNow()}`,
      );
      return find(message.messageId)!;
    };

    return {
      id,
      /** Sends a text to the bot. @returns the update's id. */
      says: (text: string): number => telegram.sendText(id, text).updateId,
      reads,
      /** Sends a text to the bot and waits for its next message that matches. */
      asks: (text: string, pattern = /./): Promise<ChatMessage> => {
        telegram.sendText(id, text);
        return reads(pattern);
      },
      taps,
      sees,
      /** Confirms a card and waits for its outcome, by default that the node accepted the call. */
      confirms: async (card: ChatMessage, outcome = accepted): Promise<ChatMessage> => {
        await taps(card, "✅ Confirm");
        return sees(card, outcome);
      },
      /** The user's balances: units by asset. */
      holds: () => unitsOf(accounts().find(({ telegramId }) => telegramId === id)?.balances),
    };
  };

  const accountOf = (name: string) => {
    const found = accounts().find((account) => account.name === name);
    if (found === undefined) throw new Error(`nobody is called ${name}`);
    return found;
  };

  return {
    sandbox,
    person,
    /** Where the store is, for tests that look into its tables. */
    place: { folder, environment: { ...stored } },
    /** A user of the world, with a payout address. */
    trader: async (name = "Alice") => {
      const { telegramId, address } = accountOf(name);
      const trader = person(telegramId!);
      await trader.asks(`/wallet ${address}`);
      return trader;
    },
    /** Bodies of the calls that change something, oldest first. */
    callsSent: (): readonly Readonly<Record<string, unknown>>[] =>
      sandbox.wireLog
        .entries()
        .filter(({ path }) => path === "/vm/query")
        .map(({ requestBody }) => JSON.parse(requestBody) as Readonly<Record<string, unknown>>)
        .filter(({ funcName }) => MUTABLE.includes(String(funcName))),
    /** The balances of an account, by its name in the world: units by asset. */
    balancesOf: (name: string) => unitsOf(accountOf(name).balances),
    address: (name: string): string => accountOf(name).address,
    /** Stops the bot and starts another one on the same store. `meanwhile` is called in between. */
    restart: async (changed?: Readonly<Record<string, string>>, meanwhile?: () => void): Promise<void> => {
      await app.stop();
      meanwhile?.();
      app = await start(changed);
    },
  };
}

/** A desk, and Alice with a payout address. */
export async function tradingDesk(...setup: Parameters<typeof sandboxDesk>) {
  const desk = await sandboxDesk(...setup);
  return { desk, alice: await desk.trader() };
}

/** Turns a card to its route, and confirms that as soon as its button acts. */
export async function takesRoute(person: SandboxPerson, card: ChatMessage, outcome = accepted): Promise<ChatMessage> {
  await person.taps(card, "🔀 Show route");
  await until(async () => !/quote is new/.test(await person.taps(card, "✅ Confirm route")));
  return person.sees(card, outcome);
}

/** Confirms a card whose call is lost on its way to the node, or whose answer is, so that its outcome is unknown. */
export async function losesAnswer(
  { sandbox }: SandboxDesk,
  person: SandboxPerson,
  card: ChatMessage,
  fault: "drop-after" | "drop-before" = "drop-after",
): Promise<ChatMessage> {
  sandbox.faults.set("node", fault);
  const unknown = await person.confirms(card, /Outcome unknown/);
  sandbox.faults.set("node", undefined);
  return unknown;
}

/** Chooses Portuguese in `/settings`, which it opens unless given. */
export async function speaksPortuguese(person: SandboxPerson, opened?: ChatMessage): Promise<void> {
  const settings = opened ?? (await person.asks("/settings"));
  await person.taps(settings, "Language");
  await person.sees(settings, /^Language$/);
  await person.taps(settings, "Português");
  await person.sees(settings, /Configurações/);
}

/** Downloads the next file that the bot sends a user after `asks`. */
export async function nextFile({ sandbox }: SandboxDesk, person: SandboxPerson, asks: () => Promise<unknown>) {
  const files = () => sandbox.telegram.chat(person.id).flatMap(({ fileId = [] }) => fileId);
  const before = files().length;
  await asks();
  await until(() => files().length > before);
  return fetch(`${sandbox.url}/_sim/telegram/files/${files().at(-1)}`);
}

export function requestsTo({ sandbox }: Pick<SandboxDesk, "sandbox">, path: RegExp) {
  return sandbox.wireLog.entries().filter((entry) => path.test(entry.path));
}

/** Sends each line, and expects it to be refused in these words, without a button to confirm. */
export async function seesRefused(
  person: SandboxPerson,
  refusals: readonly (readonly [line: string, sentence: RegExp])[],
): Promise<void> {
  for (const [line, sentence] of refusals) {
    const answer = await person.asks(line);
    expect(answer.text, line).toMatch(sentence);
    expect(labelsOf(answer).join()).not.toContain("Confirm");
  }
}

/** Has a test alert sent, which passes the outbox after everything that is due before it. */
export async function testAlert(person: SandboxPerson): Promise<ChatMessage> {
  const settings = await person.asks("/testalert", /Order alerts|Alertas/);
  const words = /^Order alerts/.test(settings.text) ? messages.en : messages.pt;
  await person.taps(settings, words.orders.testButton);
  return person.reads(/Test alert|Alerta de teste/);
}

/** The labels of a message's buttons, as a user reads them. */
export function labelsOf({ keyboard = [] }: Pick<ChatMessage, "keyboard">): readonly string[] {
  return keyboard.flat().map(({ text }) => asRead(text));
}

/** The data of the button whose label begins with `label`. */
export function dataOf({ keyboard = [], text }: ChatMessage, label: string): string {
  const found = keyboard.flat().find((button) => button.text.startsWith(label))?.data;
  if (found === undefined) throw new Error(`no button ${label} under:\n${text}`);
  return found;
}

/** Sends a line until its card needs no extra confirmation: a slow machine may read the pools too late to compare. */
export async function comparedCard(person: SandboxPerson, line: string): Promise<ChatMessage> {
  for (;;) {
    const card = await person.asks(line);
    if (card.keyboard?.flat().some(({ text }) => text.startsWith("✅ Confirm")) === true) return card;
  }
}
