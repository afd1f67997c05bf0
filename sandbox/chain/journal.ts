/** A table whose changes inside `Journal.atomically` are undone if that throws. Rows are replaced, never mutated. */
export interface Table<Key, Row> {
  readonly get: (key: Key) => Row | undefined;
  readonly has: (key: Key) => boolean;
  readonly set: (key: Key, row: Row) => void;
  readonly delete: (key: Key) => void;
  readonly entries: () => readonly (readonly [Key, Row])[];
  readonly size: () => number;
}

interface Recorded<Result> {
  readonly result: Result;
  readonly changes: number;
  readonly undo: () => void;
}

export type Journal = ReturnType<typeof createJournal>;

/** Records how to undo changes, so that calls on the chain are atomic. */
export function createJournal() {
  /** The tables in order of creation, which is the same in every world. */
  const tables: Map<unknown, unknown>[] = [];
  /** Steps of the innermost `recorded` that is running. */
  let undoSteps: (() => void)[] | undefined;

  /** Like `atomically`, and also returns the number of changes and an `undo`, valid until something else changes. */
  const recorded = <Result>(work: () => Result): Recorded<Result> => {
    const outer = undoSteps;
    const own: (() => void)[] = [];
    const undo = (): void => {
      for (const step of own.toReversed()) step();
    };
    undoSteps = own;
    try {
      return { result: work(), changes: own.length, undo };
    } catch (cause) {
      undo();
      own.length = 0;
      throw cause;
    } finally {
      undoSteps = outer;
      for (const step of own) outer?.push(step);
    }
  };

  return {
    table: <Key, Row>(): Table<Key, Row> => {
      const rows = new Map<Key, Row>();
      tables.push(rows);
      const remember = (key: Key): void => {
        const known = rows.has(key);
        const before = rows.get(key) as Row;
        undoSteps?.push(() => (known ? rows.set(key, before) : rows.delete(key)));
      };
      return {
        get: (key) => rows.get(key),
        has: (key) => rows.has(key),
        set: (key, row) => {
          remember(key);
          rows.set(key, row);
        },
        delete: (key) => {
          remember(key);
          rows.delete(key);
        },
        entries: () => [...rows.entries()],
        size: () => rows.size,
      };
    },
    keep: () => tables.map((rows) => [...rows]),
    restore: (kept: readonly (readonly (readonly [unknown, unknown])[])[]): void => {
      tables.forEach((rows, index) => {
        rows.clear();
        for (const [key, row] of kept[index] ?? []) rows.set(key, row);
      });
    },
    /** Runs the work; if it throws, restores every table and rethrows. Can be nested. */
    atomically: <Result>(work: () => Result): Result => recorded(work).result,
    recorded,
  };
}
