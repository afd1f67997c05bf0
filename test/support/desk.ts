import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bundled } from "./bundled.js";
import { dropDatabase, storeEnvironment } from "./engine.js";
import { project, startProgram, type Program } from "./process.js";
import { startServicesStub } from "./stub-services.js";
import { startTelegramStub, type Person } from "./stub-telegram.js";

/** Addresses of the chain's published examples. */
export const addresses = {
  person: "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy",
  otherPerson: "klv18d4z00xwk6jz6c4r4rgz5mcdwdjny9thrh3y8f36cpy2rz6emg5scllvd2",
  operator: "klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5",
  referral: "klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz",
  router: "klv1qqqqqqqqqqqqqpgqhe7lg537aszyv48xpuhqh2jykx986wnd932qrd2478",
  lock: "klv1qqqqqqqqqqqqqpgq9696g7x76kwrrh02fahn4rpem4v595t8c0nqgxzpmu",
};

/** What nobody but the operator, Telegram and the exchange may see. */
export const secrets = {
  // Differs per run: a program left over from an interrupted run must not poll here, if it happens to know the port.
  token: `7000000001:AAHplanted_bot_token-of-the-tests-${process.pid}`,
  apiKey: "planted/api+key=of%the&tests",
  webhookSecret: "planted_webhook_secret_of_the_tests",
};

/** The bot in its own process, with a Bot API server and services that the test controls. */
export type Desk = Awaited<ReturnType<typeof startDesk>>;

const nowhere = "http://127.0.0.1:9";

/** A valid environment in which no service answers. */
export const goodEnvironment: Readonly<Record<string, string>> = {
  BOT_TOKEN: secrets.token,
  TELEGRAM_API_ROOT: nowhere,
  NODE_URL: nowhere,
  QUOTATION_URL: nowhere,
  ORDER_URL: nowhere,
  ORDER_API_KEY: secrets.apiKey,
  WEBHOOK_SECRET: secrets.webhookSecret,
  REFERRAL_ADDRESS: addresses.operator,
  REFERRAL_PERCENTAGE: "1000",
  REFERRAL_CONTRACT: addresses.referral,
  ROUTER_CONTRACT: addresses.router,
  LOCK_CONTRACT: addresses.lock,
  // Absolute, as the program runs in a temporary folder.
  TOKENS_FILE: join(project, "data/tokens.json"),
  STORE_DIR: "store",
  // Most tests don't test the delay.
  GUARD_DELAY_SECONDS: "0",
  LOG_LEVEL: "trace",
};

/** @param file what starts the bot; by default one that starts faster than the built one. */
export async function startDesk(
  more: Readonly<Record<string, string>> = {},
  file: string | Promise<string> = bundled("src/main.ts"),
) {
  const [main, telegram, services, folder, stored] = await Promise.all([
    file,
    startTelegramStub(secrets.token),
    startServicesStub(),
    mkdtemp(join(tmpdir(), "swapdesk-e2e-")),
    storeEnvironment(),
  ]);
  const { nodeUrl: NODE_URL, quotationUrl: QUOTATION_URL, orderUrl: ORDER_URL } = services;
  const urls = { TELEGRAM_API_ROOT: telegram.url, NODE_URL, QUOTATION_URL, ORDER_URL };
  const environment = { ...goodEnvironment, ...urls, ...stored, ...more };
  const startBot = (
    changed: Readonly<Record<string, string>> = {},
    under: readonly [] | readonly [string, ...string[]] = [],
  ) =>
    startProgram([...under, process.execPath, main] as [string, ...string[]], {
      environment: { ...environment, ...changed },
      folder,
    });
  const programs = [startBot()];
  const program = (): Program => programs.at(-1)!;
  let people = 5000;

  /** Kills the program, as a crash would. */
  const crash = async () => {
    program().kill("SIGKILL");
    await program().ended;
  };
  /** Returns the secrets that appeared in the output or in what was sent to Telegram. */
  const leaks = () => {
    // Telegram has to know the webhook's secret, and gets it from this method.
    const said = telegram.calls.map(({ method, parameters }) =>
      JSON.stringify(method === "setWebhook" ? { ...parameters, secret_token: "" } : parameters),
    );
    const written = [...programs.map((one) => one.output()), ...said].join("\n");
    const botSecret = secrets.token.split(":")[1]!;
    const { apiKey, webhookSecret } = secrets;
    const forms = [botSecret, apiKey, encodeURIComponent(apiKey), webhookSecret];
    return forms.filter((form) => written.includes(form));
  };
  /** A user who is new to the bot. */
  const stranger = (language?: string) => telegram.person(++people, language);

  /** A user with a payout address. */
  const trader = async (language?: string): Promise<Person> => {
    const person = stranger(language);
    person.says(`/wallet ${addresses.person}`);
    await person.reads(/klv1usdny/);
    return person;
  };

  return {
    telegram,
    services,
    environment,
    /** The bot's working directory, with its store. */
    folder,
    program,
    stranger,
    trader,
    /** Opens a swap card for a new user. Each test pays a different amount, which identifies its calls. */
    swapCard: async (amount: string, language?: string) => {
      const person = await trader(language);
      const card = await person.asks(`/swap ${amount} KLV KFI`, /KLV → KFI/);
      return { person, card, calls: () => services.callsOf(`KLV=${amount}000000`) };
    },
    crash,
    /** Starts the program again in the same folder, with the changed variables. */
    /** @param under a command that starts the program. */
    start: (changed?: Readonly<Record<string, string>>, under?: readonly [string, ...string[]]) =>
      void programs.push(startBot(changed, under)),
    leaks,
    /** Stops everything. @throws if a secret leaked. */
    close: async () => {
      await crash();
      await Promise.all([telegram.close(), services.close()]);
      await rm(folder, { recursive: true, force: true });
      if (stored.DATABASE_URL !== undefined) await dropDatabase(stored.DATABASE_URL);
      const found = leaks();
      if (found.length > 0) throw new Error(`secrets were written or sent: ${found.join(", ")}`);
    },
  };
}

/** A desk that is closed when the test ends. */
export async function testDesk(...options: Parameters<typeof startDesk>): Promise<Desk> {
  const desk = await startDesk(...options);
  onTestFinished(() => desk.close());
  return desk;
}
