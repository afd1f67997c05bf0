import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import type { SendOutcome } from "../../../src/services/clients/gateway.js";
import type { IntentState } from "../../../src/model/intent.js";
import type { Recheck } from "../../../src/services/intents/draft.js";
import { testClock } from "../samples.js";
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
} from "./arrange.js";
import { memoryStore, type MemoryStore } from "./memory-store.js";
import { createMemoryDisk, type MemoryDisk } from "../../support/memory-store.js";
import { fc } from "../../support/property.js";

const never = () => new Promise<never>(() => undefined);
const fault = new Fault("service-timeout", { service: "node" });

const sendOutcomes: readonly SendOutcome[] = [
  { kind: "ok", returnData: ["01"] },
  { kind: "failed", text: "no" },
  { kind: "unknown", fault },
  { kind: "not-sent", fault },
];
const rechecks: readonly (Recheck | Fault)[] = [{ kind: "holds" }, { kind: "worse", draft: fresh }, fault];

/** What an intent can be once a gateway was asked to send it. */
const afterSending: readonly IntentState[] = ["SENT", "OK", "FAILED", "UNKNOWN"];

/**
 * The bot over several lives. All of them share one disk and one world, in which every call that left is counted. `pause`
 * stands at every moment at which a process can die: it never ends for a dead one.
 */
function lives(disk: MemoryDisk, pause: () => Promise<void>, recheck: () => Recheck | Fault, send: () => SendOutcome) {
  const stores: MemoryStore[] = [];
  const clock = testClock();
  const sent = new Map<string, number>();
  let life = 0;

  const start = (): Arranged & { ask: () => Promise<Recheck>; die: () => void; died: Promise<void> } => {
    life += 1;
    let dead = false;
    let bury: () => void = () => undefined;
    const died = new Promise<void>((resolve) => (bury = resolve));
    const alive = async () => {
      if (dead) await never();
      await pause();
      if (dead) await never();
    };
    const store = memoryStore(disk);
    store.before = alive;
    store.after = alive;
    stores.push(store);
    const intents = arrange({
      store,
      clock,
      prefix: `life-${life}`,
      send: async () => {
        const { intentId } = intents.sent.at(-1) ?? { intentId: "" };
        sent.set(intentId, (sent.get(intentId) ?? 0) + 1);
        // SENT was on the disk before this moment.
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
  return { start, sent, saved: () => stores.flatMap(({ saved }) => saved), clock };
}

const disk = createMemoryDisk();

/** The disk of all tests, as it is cheaper to clear than to make. */
async function clearedDisk(): Promise<MemoryDisk> {
  await disk.open().write(async (tx) => {
    for (const table of ["intents", "users", "settings"] as const) await tx.deleteFrom(table).execute();
  });
  return disk;
}

async function recoverAll(intents: Arranged): Promise<void> {
  for await (const { intent } of intents.recover()) await intents.markShown(owner, intent.id, intent.state, 1);
}

describe("a crash", () => {
  // Before and after each of the three writes, while asking, while sending, and at none of them.
  const moments = Array.from({ length: 9 }, (_, moment) => moment);
  const cases = moments.flatMap((moment) =>
    sendOutcomes.flatMap((outcome) => rechecks.map((recheck) => ({ moment, outcome, recheck }))),
  );

  it.each(cases)(
    "at moment $moment of a confirm ($recheck, $outcome.kind) never leads to a second call",
    async (given) => {
      let passed = -1;
      // Only moments of the confirm count, and the process dies at one of them.
      const pause = async () => {
        if (passed < 0) return;
        if (passed === given.moment) life.die();
        passed += 1;
      };
      const world = lives(
        await clearedDisk(),
        pause,
        () => given.recheck,
        () => given.outcome,
      );
      const life = world.start();
      const { id } = await life.open(owner, chatId, draft);
      passed = 0;
      await Promise.race([life.confirm(owner, id, life.ask), life.died]);
      passed = -1;
      life.die();

      const next = world.start();
      await recoverAll(next);
      const after = await next.find(owner, id);
      if (world.sent.has(id)) expect(afterSending).toContain(after?.state);
      expect(["CLAIMED", "SENT"]).not.toContain(after?.state);
      await next.confirm(owner, id, next.ask);
      expect(world.sent.get(id) ?? 0).toBeLessThanOrEqual(1);
      assertLegalHistory(world.saved());
    },
  );
});

describe("any order of events", () => {
  const action = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("confirm" as const), card: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cancel", "replace", "settle"), card: fc.nat(3) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("restart", "wait", "freeze", "unfreeze"), card: fc.constant(0) }),
    },
  );

  it("sends each card at most once, and every state follows from the one before", async () => {
    const events = fc.asyncProperty(
      fc.scheduler(),
      fc.array(action, { minLength: 1, maxLength: 12 }),
      fc.infiniteStream(fc.constantFrom(...sendOutcomes)),
      fc.infiniteStream(fc.constantFrom(...rechecks)),
      async (scheduler, actions, outcomes, answers) => {
        const world = lives(
          await clearedDisk(),
          () => scheduler.schedule(Promise.resolve()),
          () => answers.next().value as Recheck,
          () => outcomes.next().value as SendOutcome,
        );
        let life = world.start();
        const cards: string[] = [];

        const open = async () => cards.push((await life.open(owner, chatId, draft)).id);

        /** Waits for a task, or for the end of the process that works on it. */
        const within = (process: typeof life, task: Promise<unknown>) => Promise.race([task, process.died]);
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
            case "freeze":
              return within(life, life.changePerson(frozen));
            case "unfreeze":
              return within(life, life.changePerson(unfrozen));
            case "restart":
              life.die();
              life = world.start();
              return within(life, recoverAll(life));
            default:
              world.clock.advance(31_000);
              return Promise.resolve();
          }
        };

        const all = (async () => {
          await open();
          await open();
          await Promise.all(
            actions.map(async (next) => {
              await scheduler.schedule(Promise.resolve());
              await run(next);
            }),
          );
          life.die();
          life = world.start();
          await recoverAll(life);
          for (const id of cards) await life.confirm(owner, id, life.ask);
        })();
        await scheduler.waitFor(all);

        for (const [id, count] of world.sent) {
          expect(count).toBe(1);
          expect(afterSending).toContain((await life.find(owner, id))?.state);
        }
        assertLegalHistory(world.saved());
      },
    );
    await fc.assert(events, { numRuns: 200 });
  });
});
