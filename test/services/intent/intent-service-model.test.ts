import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { Draft } from "../../../src/services/intent/trade-kind.js";
import { isSigned, type IntentState } from "../../../src/services/intent/intent.js";
import { signatureOf } from "../../../src/services/intent/machine.js";
import { alice, testClock } from "../samples.js";
import {
  arrange,
  assertLegalHistory,
  chatId,
  draft,
  fresh,
  frozen,
  owner,
  unfrozen,
  type Arranged,
  type SendOutcome,
} from "./arrange.js";
import { recordedStore, type RecordedStore } from "./memory-store.js";
import { createMemoryDisk, type MemoryDisk } from "../../support/memory-store.js";
import { preparedTransaction } from "../../support/wallet-transaction.js";
import { fc, often } from "../../support/property.js";

const never = () => new Promise<never>(() => undefined);
const fault = new Fault("service-timeout", { service: "node" });

const sendOutcomes: readonly SendOutcome[] = [
  { kind: "ok", returnData: ["01"] },
  { kind: "failed", text: "no" },
  { kind: "unknown", fault },
  { kind: "not-sent", fault },
];
const rechecks: readonly (Draft | Fault | undefined)[] = [undefined, fresh, fault];

/** The states an intent can be in once a gateway was asked to send it. */
const afterSending: readonly IntentState[] = ["SENT", "OK", "FAILED", "UNKNOWN"];
const gateways = ["query", "wallet"] as const;

/**
 * The bot over several lives, which share one disk and one world that counts every sent call. `pause` is awaited
 * whenever a process can die, and never ends for a dead one.
 */
function lives(
  gateway: (typeof gateways)[number],
  disk: MemoryDisk,
  pause: () => Promise<void>,
  recheck: () => Draft | Fault | undefined,
  send: () => SendOutcome,
) {
  const stores: RecordedStore[] = [];
  const clock = testClock();
  const sent = new Map<string, number>();
  let [life, transactions] = [0, 0];

  const start = (): Arranged & { ask: () => Promise<Draft | undefined>; die: () => void; died: Promise<void> } => {
    life += 1;
    let dead = false;
    let bury: () => void = () => undefined;
    const died = new Promise<void>((resolve) => (bury = resolve));
    const alive = async () => {
      if (dead) await never();
      await pause();
      if (dead) await never();
    };
    const store = recordedStore(disk);
    store.before = alive;
    store.begun = () => {
      if (dead) throw new Error("its process is dead");
    };
    store.after = alive;
    stores.push(store);
    const intents = arrange({
      store,
      clock,
      prefix: `life-${life}`,
      ...(gateway === "wallet" && {
        prepare: async () => {
          await alive();
          transactions += 1;
          return preparedTransaction({
            hash: `hash-${transactions}`,
            nonce: BigInt(transactions),
            token: `token-${transactions}`,
            signUntil: clock.now() + 20_000,
            sendUntil: clock.now() + 40_000,
          });
        },
      }),
      send: async () => {
        const { intentId } = intents.sent.at(-1) ?? { intentId: "" };
        sent.set(intentId, (sent.get(intentId) ?? 0) + 1);
        // SENT is already on the disk.
        expect((await intents.find(owner, intentId))?.state).toBe("SENT");
        await alive();
        return send();
      },
    });
    const ask = async () => {
      await alive();
      const checked = recheck();
      if (checked instanceof Fault) throw checked;
      return checked;
    };
    const die = () => {
      dead = true;
      bury();
    };
    return { ...intents, ask, die, died };
  };
  /** Waits until what a dead process had begun to write is on the disk, as it is when the next one starts. */
  const settled = () => disk.open().write(() => Promise.resolve());
  return { start, settled, sent, saved: () => stores.flatMap(({ saved }) => saved), clock };
}

const disk = createMemoryDisk();

/** One disk for all tests, as clearing it is cheaper than creating one. */
async function clearedDisk(): Promise<MemoryDisk> {
  await disk.open().write(async (tx) => {
    for (const table of ["intents", "users", "settings"] as const) await tx.deleteFrom(table).execute();
  });
  return disk;
}

describe("any order of events", () => {
  const action = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("confirm" as const), card: fc.nat(3) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom("cancel", "replace", "settle", "expire", "sign", "close", "end", "found", "give"),
        card: fc.nat(3),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("restart", "wait", "freeze", "unfreeze"), card: fc.constant(0) }),
    },
  );

  it.each(gateways)(
    "%s: sends each card at most once, and every state follows from the one before",
    async (gateway) => {
      const events = fc.asyncProperty(
        fc.scheduler(),
        fc.array(action, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.constantFrom(...sendOutcomes)),
        fc.infiniteStream(fc.constantFrom(...rechecks)),
        async (scheduler, actions, outcomes, answers) => {
          const world = lives(
            gateway,
            await clearedDisk(),
            () => scheduler.schedule(Promise.resolve()),
            () => answers.next().value as Draft | Fault | undefined,
            () => outcomes.next().value as SendOutcome,
          );
          let life = world.start();
          const cards: string[] = [];

          const signatures = new Map<string, string>();
          /** Only the first accepted signature counts. */
          const sign = async ({ requests }: typeof life, id: string) => {
            const signed = await requests.sign(owner, id, `signature-${signatures.size}`);
            const signature = signed && signatureOf(signed);
            if (signature === undefined) return;
            expect(signatures.get(id) ?? signature).toBe(signature);
            signatures.set(id, signature);
          };
          /** Broadcasts what was signed; any number of times, as it is one transaction. */
          const give = async ({ requests, find }: typeof life, id: string) => {
            const intent = await find(owner, id);
            if (intent === undefined || !isSigned(intent) || intent.state !== "SENT") return;
            await requests.mayLeave(intent, true);
          };

          const open = async () => cards.push((await life.open(owner, chatId, draft)).id);

          /** Waits for a task, or for the end of its process. */
          const within = (process: typeof life, task: Promise<unknown>) => Promise.race([task, process.died]);
          const restart = async () => {
            life.die();
            const next = world.start();
            life = next;
            await world.settled();
            await within(next, next.recover());
          };
          const confirm = async (process: typeof life, id: string) => {
            const confirmation = await process.confirm(owner, id, process.ask);
            if (confirmation.kind === "worse") cards.push(confirmation.fresh.id);
          };
          const run = ({ do: what, card }: { do: string; card: number }): Promise<unknown> => {
            const id = cards[card % cards.length] ?? "none";
            switch (what) {
              case "confirm":
                return within(life, confirm(life, id));
              case "cancel":
                return within(life, life.cancel(owner, id));
              case "replace":
                return within(life, life.replace(owner, id, cards.at(-1) ?? "none"));
              case "settle":
                return within(life, life.settle(owner, id, { kind: "ok", returnData: [] }));
              case "expire":
                return within(life, life.expire(owner, id));
              case "sign":
                return within(life, sign(life, id));
              case "close":
                return within(life, life.requests.close(owner, id, "CANCELED"));
              case "end":
                return within(life, life.settle(owner, id));
              case "found":
                return within(life, life.requests.sentByWallet(owner, id, signatures.get(id) ?? "found"));
              case "give":
                return within(life, give(life, id));
              case "freeze":
                return within(life, life.changePerson(frozen));
              case "unfreeze":
                return within(life, life.changePerson(unfrozen));
              case "restart":
                return restart();
              default:
                world.clock.advance(31_000);
                return Promise.resolve();
            }
          };

          const all = (async () => {
            await life.changePerson((person) => ({ ...person, wallet: { address: alice, since: 1 } }));
            await open();
            await open();
            await Promise.all(
              actions.map(async (next) => {
                await scheduler.schedule(Promise.resolve());
                await run(next);
              }),
            );
            await restart();
            for (const id of cards) {
              // No call of an earlier life is still on its way.
              if (gateway === "query") expect(["CLAIMED", "SENT"]).not.toContain((await life.find(owner, id))?.state);
              await life.confirm(owner, id, life.ask);
            }
          })();
          await scheduler.waitFor(all);

          for (const [id, count] of world.sent) {
            expect(count).toBe(1);
            expect(afterSending).toContain((await life.find(owner, id))?.state);
          }
          assertLegalHistory(world.saved());
        },
      );
      await fc.assert(events, { numRuns: often(300) });
    },
  );
});
