import { expect, it } from "vitest";
import { createEmbeddedStore } from "../../src/store/embedded.js";
import { overDefaults } from "../../src/store/defaults.js";
import type { Collection, Store } from "../../src/store/store.js";
import { seededRandom } from "../support/seed.js";
import { createVirtualClock, type VirtualClock } from "../support/virtual-clock.js";
import { createDisk, type Disk } from "./disk.js";

const random = seededRandom("crashes of a disk");
const below = (limit: number) => Math.floor(random() * limit);

interface Count {
  readonly version: 1;
  readonly value: number;
}
const none: Count = { version: 1, value: 0 };
const isOdd = ({ value }: Count) => value % 2 === 1;
const counts: Collection<Count> = {
  name: "counts",
  create: () => none,
  parse: (stored) => overDefaults(none, stored),
  open: { isOpen: isOdd, rule: 1 },
};
const IDS = ["a", "b", "c", "d"];

/** A change that was asked for: which step came last then, and when it was acknowledged. */
interface Change {
  /** Zero for one that removes the document. */
  readonly value: number;
  readonly askedAt: number;
  acknowledgedAt: number;
}

/** One life of a program with its store, and what it was promised. */
interface Life {
  readonly disk: Disk;
  readonly clock: VirtualClock;
  readonly store: Store;
  /** The changes of each document in their order, after what was there at the beginning. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
  readonly change: (id: string) => Promise<void>;
}

let last = 0;

async function begin(disk: Disk): Promise<Life> {
  const clock = createVirtualClock();
  const store = await createEmbeddedStore({ directory: "/store", files: disk.files, clock });
  const found = await valuesIn(store);
  const changes = new Map(
    IDS.map((id) => [id, [{ value: found.get(id) ?? 0, askedAt: 0, acknowledgedAt: disk.steps() }] as Change[]]),
  );
  return {
    disk,
    clock,
    store,
    changes,
    change: async (id) => {
      const change = { value: below(4) === 0 ? 0 : ++last, askedAt: disk.steps(), acknowledgedAt: Infinity };
      changes.get(id)!.push(change);
      if (change.value === 0) await store.remove(counts, id);
      else await store.update(counts, id, (now) => [{ ...now, value: change.value }, undefined]);
      change.acknowledgedAt = disk.steps();
    },
  };
}

async function valuesIn(store: Store): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(IDS.map(async (id) => [id, (await store.read(counts, id))?.value ?? 0] as const));
  return new Map(found);
}

/** People come and go, and every now and then the documents are written behind. */
async function live({ clock, store, change }: Life, rounds: number): Promise<void> {
  await store.openIds(counts);
  for (let round = 0; round < rounds; round += 1) {
    const asked = Array.from({ length: 1 + below(4) }, () => change(IDS[below(IDS.length)]!));
    if (below(3) === 0) asked.push(clock.advance(5_000));
    await (below(2) === 0 ? Promise.all(asked) : asked[0]);
  }
  await store.close();
}

/** What a document may say after a crash: its last change that was acknowledged, or one asked for since. */
function allowed({ changes }: Life, id: string, steps: number): readonly number[] {
  const asked = changes.get(id)!.filter(({ askedAt }) => askedAt <= steps);
  const known = asked.findLastIndex(({ acknowledgedAt }) => acknowledgedAt <= steps);
  return asked.slice(Math.max(0, known)).map(({ value }) => value);
}

/** The next program's life on what a crash left. Its lock is another's, and it counts as dead. */
async function afterCrash(life: Life, steps: number, keeps: () => number): Promise<Life> {
  const disk = life.disk.afterCrash(steps, keeps);
  await disk.files.remove("/store/store.lock").catch(() => undefined);
  const next = await begin(disk);
  const openIds = await next.store.openIds(counts);
  for (const id of IDS) {
    const [{ value }] = next.changes.get(id)! as [Change];
    expect(allowed(life, id, steps), `${id} after step ${steps}`).toContain(value);
    if (value % 2 === 1) expect(openIds, `${id} after step ${steps}`).toContain(id);
  }
  return next;
}

it("whenever a process is killed or the power fails, no acknowledged change is lost, also when it happens again at once", async () => {
  const disk = createDisk();
  const life = await begin(disk);
  await live(life, 10);
  const crashes = { killed: () => 1, lost: () => 0, torn: random };
  for (let steps = 0; steps <= disk.steps(); steps += 1) {
    for (const keeps of Object.values(crashes)) {
      const next = await afterCrash(life, steps, keeps);
      await live(next, 1);
      await afterCrash(next, below(next.disk.steps() + 1), [...Object.values(crashes)][below(3)]!);
    }
  }
});
