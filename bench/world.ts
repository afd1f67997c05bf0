// Telegram, the node and the services in one server, for benchmarks that talk to the built program like users.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import defaultWorld from "../data/world.json" with { type: "json" };

const TOKEN = "1000:bench-token-that-opens-nothing";
const ADDRESS = "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy";
const me = { id: 1000, is_bot: true, first_name: "Swapdesk", username: "swapdesk_bench_bot" };

/** A message as sent to a chat; `markup` is raw JSON. */
interface Shown {
  readonly messageId: number;
  readonly text: string;
  readonly markup: string;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld() {
  let poll: ServerResponse | undefined;
  let polledAt: number | undefined;
  let pending: { id: number; json: string }[] = [];
  let [updateId, messageId] = [0, 0];
  /** By chat id: resolves the next message. */
  const listeners = new Map<number, (shown: Shown) => void>();
  const sent: { readonly chatId: number; readonly text: string; readonly at: number }[] = [];

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      const path = request.url ?? "";
      if (path === "/quotation") return response.end('{"amountOut":"12.345678","tokenOutPrecision":6}');
      if (path.startsWith("/v1/order/")) {
        world.polls += 1;
        return response.end(orderOf(path.slice("/v1/order/".length)));
      }
      if (path === "/vm/query") {
        if (/"funcName":"(?:get|is)[A-Z]/.test(body)) return response.end(refusedView);
        world.calls += 1;
        world.called(performance.now());
        if (!world.answersCalls) return undefined;
        return response.end(
          '{"data":{"returnData":["01e240","ba7f0e"],"returnCode":"ok","returnMessage":""},"error":"","code":"successful"}',
        );
      }
      if (world.tellsAccounts && path.startsWith("/asset/")) {
        const ID = Buffer.from(path.slice("/asset/".length)).toString("base64");
        return response.end(JSON.stringify({ data: { asset: { ID, Precision: 6, Properties: { CanPause: true } } } }));
      }
      if (world.tellsAccounts && path.startsWith("/address/")) return response.end('{"data":{"balance":9000000000}}');
      if (!path.startsWith("/bot")) return response.writeHead(404).end("{}");
      return telegram(path.slice(path.lastIndexOf("/") + 1), body, response);
    });
  });

  function telegram(method: string, body: string, response: ServerResponse): unknown {
    const answer = (result: unknown) => response.end(JSON.stringify({ ok: true, result }));
    if (method === "getMe") return answer(me);
    if (method === "getUpdates") {
      polledAt ??= performance.now();
      const { offset = 0 } = JSON.parse(body) as { offset?: number };
      let confirmed = 0;
      while ((pending[confirmed]?.id ?? offset) < offset) confirmed += 1;
      pending.splice(0, confirmed);
      poll = response;
      give();
      setTimeout(() => poll === response && give(true), 5_000).unref();
      return undefined;
    }
    if (method !== "sendMessage" && method !== "editMessageText") return answer(true);
    const { chat_id, message_id, text, reply_markup } = JSON.parse(body) as Record<string, unknown>;
    const chatId = Number(chat_id);
    if (world.refused.has(chatId)) {
      world.tried.add(chatId);
      return response.writeHead(502).end("{}");
    }
    const id = Number(message_id ?? ++messageId);
    answer({ message_id: id, date: 1, chat: { id: chatId, type: "private" }, from: me, text });
    sent.push({ chatId, text: String(text), at: performance.now() });
    const listener = listeners.get(chatId);
    listeners.delete(chatId);
    listener?.({ messageId: id, text: String(text), markup: JSON.stringify(reply_markup ?? "") });
    return undefined;
  }

  function give(isEmpty = false): void {
    if (poll === undefined || (pending.length === 0 && !isEmpty)) return;
    poll.end(
      `{"ok":true,"result":[${pending
        .slice(0, 100)
        .map(({ json }) => json)
        .join(",")}]}`,
    );
    poll = undefined;
  }

  function deliver(update: object): void {
    updateId += 1;
    pending.push({ id: updateId, json: JSON.stringify({ update_id: updateId, ...update }) });
    give();
  }

  function orderOf(orderId: string): string {
    const filled = world.filled.has(orderId) ? { status: "PARTIALLY", filled: "40" } : { status: "OPEN", filled: "0" };
    const rest = {
      averagePrice: "0",
      typeOrder: "LIMIT",
      typeTrade: "MAKER",
      fee: "0",
      feeToken: "KLV",
      feePayWithKLV: "0",
    };
    const data = {
      orderId,
      symbol: "KLV-USDT",
      side: "BUY",
      price: "1",
      quantity: "100",
      createdAt: 1,
      updatedAt: 1,
      ...rest,
      ...filled,
    };
    return JSON.stringify({ success: true, data });
  }

  const personOf = (id: number) => ({ id, is_bot: false, first_name: "P", language_code: "en" });
  const chatOf = (id: number) => ({ id, type: "private", first_name: "P" });
  const next = (id: number) => new Promise<Shown>((resolve) => listeners.set(id, resolve));

  // By default the server closes connections after five idle seconds, which could lose a message.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = {
    /** All messages and edits, in order. */
    sent,
    /** Chats whose messages are currently refused. */
    refused: new Set<number>(),
    /** Chats for which a message was refused. */
    tried: new Set<number>(),
    /** Partially filled orders. */
    filled: new Set<string>(),
    /** Number of requests for orders. */
    polls: 0,
    /** Number of calls that have arrived at the node. */
    calls: 0,
    /** Is passed when a call has arrived. */
    called: (_at: number): void => undefined,
    /** If false, the node never answers calls. */
    answersCalls: true,
    /** Whether the node tells what accounts hold, and what tokens' issuers can do. */
    tellsAccounts: false,
    /** Sends a text; resolves with the next message or edit in its chat. */
    ask: (id: number, text: string): Promise<Shown> => {
      const answer = next(id);
      const entities = text.startsWith("/")
        ? [{ type: "bot_command", offset: 0, length: /\S+/.exec(text)![0].length }]
        : undefined;
      const message = {
        message_id: ++messageId,
        date: Math.floor(Date.now() / 1000),
        from: personOf(id),
        chat: chatOf(id),
        text,
      };
      deliver({ message: { ...message, ...(entities && { entities }) } });
      return answer;
    },
    /** Taps the button whose data begins with `begins`; resolves like `ask`. */
    tap: (id: number, { messageId: message_id, text, markup }: Shown, begins: string): Promise<Shown> => {
      const data = new RegExp(`\\\\?"(${begins}[^"\\\\]*)`).exec(markup)?.[1];
      if (data === undefined) throw new Error(`no button ${begins} under ${text}`);
      const answer = next(id);
      const message = { message_id, date: 1, chat: chatOf(id), from: me, text };
      deliver({ callback_query: { id: `t${updateId}`, from: personOf(id), message, chat_instance: "1", data } });
      return answer;
    },
    /** Whether a bot is waiting for updates. */
    isPolled: () => poll !== undefined,
    /** Starts the built program, or another bot, with its store in a folder. */
    start: async (directory: string, more: Readonly<Record<string, string>> = {}, script = ["dist/main.js"]) => {
      poll = undefined;
      polledAt = undefined;
      pending = [];
      const before = sent.length;
      const startedAt = performance.now();
      let resumedAt: number | undefined;
      const bot = startBot(script, url, directory, { GUARD_DELAY_SECONDS: "0", ...more });
      bot.stdout?.on("data", (chunk: Buffer) => {
        if (chunk.toString().includes("Recovery complete")) resumedAt ??= performance.now();
      });
      await until(() => polledAt !== undefined);
      return {
        bot,
        /** Milliseconds from the start to the first poll. */
        poll: polledAt! - startedAt,
        /**
         * Milliseconds from the start to the first poll, to the end of recovery, and until `told` messages were sent.
         */
        times: async (told: number) => {
          await until(() => resumedAt !== undefined && sent.length >= before + told);
          const last = told === 0 ? startedAt : sent[before + told - 1]!.at;
          return { poll: polledAt! - startedAt, resumed: resumedAt! - startedAt, told: last - startedAt };
        },
        stop: async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM") => {
          const ended = once(bot, "exit");
          bot.kill(signal);
          await ended;
        },
      };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return world;
}

/** Starts a bot with its store in a folder, and the contract and referral addresses of the default world. */
export function startBot(
  script: readonly string[],
  url: string,
  directory: string,
  more: Readonly<Record<string, string>>,
): ChildProcess {
  const { accounts, referral, router, simpleLock } = defaultWorld;
  const bot = spawn(process.execPath, script, {
    env: {
      PATH: process.env["PATH"],
      BOT_TOKEN: TOKEN,
      TELEGRAM_API_ROOT: url,
      NODE_URL: url,
      QUOTATION_URL: url,
      ORDER_URL: url,
      ORDER_API_KEY: "bench-key",
      REFERRAL_ADDRESS: accounts[0]?.address,
      REFERRAL_PERCENTAGE: "1000",
      REFERRAL_CONTRACT: referral.address,
      ROUTER_CONTRACT: router.address,
      LOCK_CONTRACT: simpleLock.address,
      STORE_DIR: directory,
      ...more,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // If the benchmark fails, don't leave the bot running.
  const kill = () => bot.kill("SIGKILL");
  process.once("exit", kill);
  bot.once("exit", () => process.off("exit", kill));
  return bot;
}

const refusedView =
  '{"data":{"returnData":[],"returnCode":"VMFunctionNotFound","returnMessage":"invalid function"},"error":"","code":"successful"}';

/** Makes users start the bot by setting their payout address. */
export function welcome(world: World, ids: readonly number[]): Promise<void> {
  return sideBySide(ids, async (id) => void (await world.ask(id, `/wallet ${ADDRESS}`)));
}

/** Runs a task for each item. @param width maximum number of running tasks. */
export async function sideBySide<Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
  width = 200,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < items.length) await task(items[next++]!);
  };
  await Promise.all(Array.from({ length: width }, work));
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** CPU time of all threads so far: `/proc/<id>/stat` has it only in hundredths of a second. */
export async function processorMilliseconds({ pid }: ChildProcess): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const texts = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/schedstat`, "utf8")));
  return texts.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1e6, 0);
}

/** Resident memory in MiB: current, or at its peak. */
export async function megabytes({ pid }: ChildProcess, which: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
