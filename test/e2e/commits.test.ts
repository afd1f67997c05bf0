import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { tradingDesk } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

interface Counts {
  readonly commits: number;
  /** Statements that return rows. */
  readonly reads: number;
}

const counted = vi.hoisted(() => ({ commits: 0, reads: 0 }));

vi.mock(import("../../src/store/database.js"), async (original) => {
  const actual = await original();
  return {
    ...actual,
    openDatabase: (path) =>
      new Proxy(actual.openDatabase(path), {
        get: (database, name) => {
          const value: unknown = Reflect.get(database, name, database);
          if (typeof value !== "function") return value;
          return (...given: unknown[]): unknown => {
            if (name === "exec" && given[0] === "COMMIT") counted.commits += 1;
            return value.apply(database, given);
          };
        },
      }),
    statementsOf: (database) => {
      const statements = actual.statementsOf(database);
      return (sql) => {
        const statement = statements(sql);
        const all: typeof statement.all = (values) => {
          counted.reads += 1;
          return statement.all(values);
        };
        return { ...statement, all };
      };
    },
  };
});

const TIMES = 8;

it("an update commits and reads no more often than it has to", async () => {
  const { desk, alice } = await tradingDesk();
  const data = new DatabaseSync(join(desk.place.folder, "store/swapdesk.sqlite"), { readOnly: true, timeout: 5000 });
  onTestFinished(() => data.close());
  const left = data.prepare("SELECT id FROM updates WHERE body IS NOT NULL UNION ALL SELECT user_id FROM outbox");
  /** Whether all updates are handled and recorded, and all cards show what is known. */
  const isOver = (): boolean => left.get() === undefined;

  /** The least of several: loops that look now and then add to some. */
  const least = async (act: () => Promise<unknown>, prepare?: () => Promise<unknown>): Promise<Counts> => {
    const all: Counts[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      await prepare?.();
      await until(isOver);
      Object.assign(counted, { commits: 0, reads: 0 });
      await act();
      await until(isOver);
      all.push({ ...counted });
    }
    return {
      commits: Math.min(...all.map(({ commits }) => commits)),
      reads: Math.min(...all.map(({ reads }) => reads)),
    };
  };

  const ask = () => alice.asks("/swap 1 KLV KFI");
  let card = await ask();
  const confirm = () => alice.confirms(card);
  const prepare = async () => (card = await ask());
  const counts = {
    help: await least(() => alice.asks("/help")),
    swap: await least(ask),
    confirm: await least(confirm, prepare),
  };
  const most = { help: { commits: 2, reads: 3 }, swap: { commits: 4, reads: 7 }, confirm: { commits: 5, reads: 20 } };
  for (const update of ["help", "swap", "confirm"] as const) {
    for (const what of ["commits", "reads"] as const)
      expect(counts[update][what], `${what} of ${update}`).toBeLessThanOrEqual(most[update][what]);
  }
});
