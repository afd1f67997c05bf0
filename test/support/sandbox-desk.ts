import { storeEnvironment } from "./engine.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DestinationStream } from "pino";
import { onTestFinished } from "vitest";
import { botEnvironment } from "../../sandbox/bot-environment.js";
import world from "../../data/world.json" with { type: "json" };
import type { WorldJson } from "../../sandbox/world.js";
import { startSandbox, type Sandbox, type SandboxSetup } from "../../sandbox/sandbox.js";
import { systemClock, type Clock } from "../../src/clock.js";
import { startApp, type App } from "../../src/app.js";
import { readConfig } from "../../src/config.js";
import { asRead } from "./as-read.js";
import { until } from "./until.js";

/** The default world, as anybody may change it. */
export const defaultWorld = world as WorldJson;

/** With a node that offers what the interface documents, and no more. */
export const documentedWorld: WorldJson = {
  ...defaultWorld,
  options: { ...defaultWorld.options, tellsBalances: false },
};

/** The people of the default world. */
export const people = { alice: 1001, bob: 1002, carol: 1003 } as const;

type ChatMessage = ReturnType<Sandbox["telegram"]["chat"]>[number];

/** Somebody in the sandbox's chat. */
export interface SandboxPerson {
  readonly id: number;
  /** Sends a text to the bot and tells the update's id. */
  readonly says: (text: string) => number;
  /** The first message of the bot, among those not read yet, that matches. */
  readonly reads: (pattern: RegExp) => Promise<ChatMessage>;
  /** Says something and reads the bot's next message. */
  readonly asks: (text: string) => Promise<ChatMessage>;
  /** Taps the button that begins so; resolves when the tap was answered, with the text of the answer. */
  readonly taps: (message: ChatMessage, label: string) => Promise<string>;
  /** The message as it is once it matches. */
  readonly sees: (message: ChatMessage, pattern: RegExp) => Promise<ChatMessage>;
  /** Units by asset. */
  readonly holds: () => Readonly<Record<string, bigint>>;
}

/** The whole bot in this process, in a sandbox of its own. */
export interface SandboxDesk {
  readonly sandbox: Sandbox;
  readonly person: (id: number) => SandboxPerson;
  /** Bodies of the calls that changed something, oldest first. */
  readonly callsSent: () => readonly Readonly<Record<string, unknown>>[];
  /** Units by asset of any account, by its name in the world. */
  readonly balancesOf: (name: string) => Readonly<Record<string, bigint>>;
  readonly address: (name: string) => string;
  /** Ends the bot and starts another one on the same store. `meanwhile` happens while there is none. */
  readonly restart: (changed?: Readonly<Record<string, string>>, meanwhile?: () => void) => Promise<void>;
}

const MUTABLE = ["swap", "multiPairSwap", "lockTokens", "unlockTokens"];

interface DeskSetup extends SandboxSetup {
  /** The bot's too, unless it is started otherwise. */
  readonly clock?: Clock;
  /** Starts the bot otherwise than in this process. */
  readonly startBot?: (environment: Readonly<Record<string, string>>) => Pick<App, "stop">;
}

/** A desk that ends with the test. `environment` changes single variables of the sandbox's own. */
export async function sandboxDesk(
  setup: DeskSetup = {},
  environment: Readonly<Record<string, string>> = {},
  /** Where the bot's log goes; nothing is logged without it. */
  logTo?: DestinationStream,
): Promise<SandboxDesk> {
  const sandbox = await startSandbox({ ...setup, world: setup.world ?? documentedWorld });
  const folder = await mkdtemp(join(tmpdir(), "swapdesk-sandbox-desk-"));
  const stored = await storeEnvironment();
  const tokensFile = join(folder, "tokens.json");
  await writeFile(tokensFile, JSON.stringify(sandbox.world.tokens));

  const start = async (changed: Readonly<Record<string, string>> = {}): Promise<Pick<App, "stop">> => {
    const variables = {
      ...botEnvironment(sandbox, { storeDir: join(folder, "store"), tokensFile }),
      // Most tests are about what comes after.
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

  const person = (id: number): SandboxPerson => {
    const { telegram } = sandbox;
    let lastRead = 0;
    /** Only those that matter are made readable: a chat can be long, and is looked at often. */
    const chat = (matters: (message: ChatMessage) => boolean) =>
      telegram
        .chat(id)
        .filter(matters)
        .map((message) => ({ ...message, text: asRead(message.text) }));
    const find = (messageId: number) => chat((message) => message.messageId === messageId)[0];

    const reads: SandboxPerson["reads"] = async (pattern) => {
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

    const self: SandboxPerson = {
      id,
      says: (text) => telegram.sendText(id, text).updateId,
      reads,
      asks: (text) => {
        telegram.sendText(id, text);
        return reads(/./);
      },
      taps: async (message, label) => {
        const shown = () => find(message.messageId) ?? message;
        const buttonNow = () =>
          [...(shown().keyboard?.flat() ?? []), ...rowButtons(shown())].find((one) => one.text.startsWith(label));
        // A card is edited after its tap was answered, so the button may be a moment away.
        await until(
          () => buttonNow()?.data !== undefined,
          () => `no button ${label} under:\n${shown().text}`,
        );
        const button = { data: buttonNow()!.data! };
        const { callbackQueryId } = telegram.press(id, message.messageId, button.data);
        await until(() => answers.has(callbackQueryId));
        return answers.get(callbackQueryId)!;
      },
      sees: async (message, pattern) => {
        const textNow = () => find(message.messageId)?.text ?? "";
        await until(
          () => pattern.test(textNow()),
          () => `does not match ${String(pattern)}:\n${textNow()}`,
        );
        return find(message.messageId)!;
      },
      holds: () => unitsOf(accounts().find(({ telegramId }) => telegramId === id)?.balances),
    };
    return self;
  };

  return {
    sandbox,
    person,
    callsSent: () =>
      sandbox.wireLog
        .entries()
        .filter(({ path }) => path === "/vm/query")
        .map(({ requestBody }) => JSON.parse(requestBody) as Readonly<Record<string, unknown>>)
        .filter(({ funcName }) => MUTABLE.includes(String(funcName))),
    balancesOf: (name) => unitsOf(accounts().find((account) => account.name === name)?.balances),
    address: (name) => {
      const found = accounts().find((account) => account.name === name)?.address;
      if (found === undefined) throw new Error(`nobody is called ${name}`);
      return found;
    },
    restart: async (changed, meanwhile) => {
      await app.stop();
      meanwhile?.();
      app = await start(changed);
    },
  };
}

/** The buttons in the rows of a message's tables. */
export function rowButtons({ rich = [] }: ChatMessage): readonly { text: string; data?: string; copyText?: string }[] {
  const pieces = rich.flatMap(({ text, cells = [] }) => [text, ...cells.flat().map((cell) => cell.text)]);
  return pieces.flat(2).flatMap((piece) => {
    if (typeof piece !== "object" || !("button" in piece)) return [];
    const { text, callback_data, copy_text } = piece.button;
    return [
      {
        text: text as string,
        ...(callback_data && { data: callback_data }),
        ...(copy_text && { copyText: copy_text.text }),
      },
    ];
  });
}

/** The card that a line leads to, asked for until it needs no second step: a slow machine may compare it with the pools too late. */
export async function comparedCard(person: SandboxPerson, line: string): Promise<ChatMessage> {
  for (;;) {
    const card = await person.asks(line);
    if (card.keyboard?.flat().some(({ text }) => text.startsWith("✅ Confirm")) === true) return card;
  }
}
