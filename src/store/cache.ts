/** Keeps the values used last, as many as fit. @param capacity how much all sizes may come to. */
export function createCache<Value>(capacity: number) {
  /** The one used last is at the end. */
  const kept = new Map<string, { readonly value: Value; readonly size: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  }

  return {
    get: (key: string): Value | undefined => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    /** One that is larger than everything that fits is not kept. */
    set: (key: string, value: Value, size: number): void => {
      remove(key);
      kept.set(key, { value, size });
      total += size;
      // Past those that have moved to the end since, the oldest takes long to find.
      if (total <= capacity) return;
      for (const oldest of kept.keys()) {
        if (total <= capacity) break;
        remove(oldest);
      }
    },
  };
}
