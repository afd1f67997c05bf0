import { HttpError } from "grammy";
import { createAway } from "../../../src/services/telegram/away.js";
import type { Topic } from "../../../src/services/telegram/outbox.js";
import type { Outbox } from "../../../src/services/telegram/outbox-sender.js";
import { createMemoryDisk, type MemoryStore } from "../../support/memory-store.js";
import type { VirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";
import { askedBy, outboxTo } from "../telegram/noticed.js";

interface Told<What> {
  readonly at: number;
  readonly userId: number;
  readonly what: What;
}

export interface ChatProcess {
  readonly store: MemoryStore;
  readonly waiting: Outbox["waiting"];
  /** A message from a user who couldn't be reached. */
  readonly hears: (userId: number) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL. */
  readonly kill: () => void;
}

/** Chats and a disk, which outlive the processes that write to them. @param read what tests look at of a message. */
export function createChats<Message, What>(clock: VirtualClock, read: (message: Message) => What) {
  const disk = createMemoryDisk();
  let processes = 0;
  const chats = {
    clock,
    told: [] as Told<What>[],
    telegramFault: (_userId: number): Error | undefined => undefined,
    /** Whether what is sent arrives although its answer doesn't. */
    isLost: (_userId: number): boolean => false,
    /** Called when a message is on its way to Telegram, and when its answer is on its way back: it may kill. */
    onItsWay: (_where: "there" | "back", _run: ChatProcess): void => undefined,
    /** What was on its way to Telegram at a kill. */
    lost: [] as Told<What>[],
    /** Begins a process, which sends at once. `run` runs its loops. */
    begin: (topic: Topic<Message>) => {
      const [store, stopping] = [disk.open(), new AbortController()];
      let isAlive = true;
      let running: Promise<unknown> = Promise.resolve();
      const ifAlive = () => (isAlive ? Promise.resolve() : new Promise<void>(() => undefined));
      const deliver = async (userId: number, message: Message): Promise<number> => {
        await ifAlive();
        chats.onItsWay("there", process);
        const told = { at: clock.now(), userId, what: read(message) };
        if (!isAlive) chats.lost.push(told);
        await ifAlive();
        const fault = chats.telegramFault(userId);
        if (fault !== undefined) throw fault;
        if (chats.isLost(userId)) {
          chats.told.push(told);
          throw new HttpError("no answer", new Error("UND_ERR_SOCKET"));
        }
        chats.told.push(told);
        chats.onItsWay("back", process);
        await ifAlive();
        await clock.sleep(20);
        await ifAlive();
        return 1;
      };
      processes += 1;
      const away = createAway({ clock });
      const asked = askedBy(away);
      const deliverNoted = (userId: number, message: Message) => asked(() => deliver(userId, message));
      const { outbox, pacer } = outboxTo({ store, clock, away, deliver: deliverNoted, run: `run ${processes}` });
      // The bot's name.
      const ask = async (): Promise<void> => {
        const fault = chats.telegramFault(0);
        if (fault !== undefined || chats.isLost(0))
          throw fault ?? new HttpError("no answer", new Error("UND_ERR_SOCKET"));
      };
      void away.run(() => asked(ask), stopping.signal);
      const process: ChatProcess = {
        store,
        waiting: outbox.waiting,
        hears: async (userId) => {
          const person = { chatId: userId, language: "en", timeZone: "UTC", presets: [], recentTokens: [] };
          await outbox.onUserReturned(userId, { ...person, restingSince: 1 });
        },
        stop: async () => {
          stopping.abort();
          await running;
          await outbox.stop();
          pacer.stop();
        },
        kill: () => {
          isAlive = false;
          store.kill();
          pacer.stop();
          stopping.abort();
          void outbox.stop();
        },
      };
      outbox.use([topic]);
      outbox.start();
      const run = (loops: readonly ((signal: AbortSignal) => Promise<void>)[]): ChatProcess => {
        running = Promise.all(loops.map((loop) => loop(stopping.signal)));
        return process;
      };
      return { shared: { store, clock, log: silent, outbox }, ifAlive, run };
    },
  };
  return chats;
}
