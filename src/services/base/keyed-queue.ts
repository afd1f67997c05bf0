/** Tasks of one key run one after another. */
export interface KeyedQueue {
  /** Resolves, or rejects, as the task does. */
  readonly take: <Result>(key: PropertyKey, task: () => Promise<Result>) => Promise<Result>;
  /** Resolves when nothing waits or runs. */
  readonly settled: () => Promise<void>;
}

/**
 * Runs tasks of one key one after another, in order, and tasks of different keys concurrently.
 * @param width maximum number of running tasks, over all keys.
 */
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
      // The slot passes straight to the next in line, so that nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  return {
    take: <Result>(key: PropertyKey, task: () => Promise<Result>): Promise<Result> => {
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
    settled: async (): Promise<void> => {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
