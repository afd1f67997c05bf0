/** The one way in which parts of the page learn of changes in another. */

/**
 * @template Value
 * @returns {{ listen: (listener: (value: Value) => void) => void, tell: (value: Value) => void }}
 */
export function createSignal() {
  /** @type {((value: Value) => void)[]} */
  const listeners = [];
  return {
    listen: (listener) => void listeners.push(listener),
    tell: (value) => listeners.forEach((listener) => listener(value)),
  };
}
