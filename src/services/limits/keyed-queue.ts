/** Tasks of one key run one after the other, in the order asked; others side by side. */
export interface KeyedQueue {
  readonly take: <Result>(key: PropertyKey, task: () => Promise<Result>) => Promise<Result>;
  /** Resolves when nothing waits or runs. */
  readonly settled: () => Promise<void>;
}

/** @param width how many tasks run at once, over all keys. */
export function createKeyedQueue(width = Number.POSITIVE_INFINITY): KeyedQueue {
  const last = new Map<PropertyKey, Promise<void>>();
  const waiting: (() => void)[] = [];
  let free = width;

  async function withinWidth<Result>(task: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  return {
    take: (key, task) => {
      const before = last.get(key) ?? Promise.resolve();
      const result = before.then(() => withinWidth(task));
      const forget = () => {
        if (last.get(key) === end) last.delete(key);
      };
      // How a task ended is its caller's business; the next one only needs to know that it has.
      const end = result.then(forget, forget);
      last.set(key, end);
      return result;
    },
    settled: async () => {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
