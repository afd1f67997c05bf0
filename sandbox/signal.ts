/** Calls every listener with each value. */
export function createSignal<Value = void>() {
  const listeners = new Set<(value: Value) => void>();
  return {
    tell: (value: Value): void => {
      for (const listener of [...listeners]) listener(value);
    },
    /** @returns a function that ends the subscription. */
    subscribe: (listener: (value: Value) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
