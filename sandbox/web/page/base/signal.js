/** How parts of the page are notified of changes in other parts. */

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
