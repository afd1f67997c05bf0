/** How many blocks a node, or another service, can be behind the one that tells of something. */
const BEHIND_BLOCKS = 3;

/** What is looked at again after each of the next blocks, until a look shows something new. */
export function createLooksAgain<Key, Before = undefined>() {
  const all = new Map<Key, { readonly before: Before | undefined; left: number }>();
  return {
    /** @param before what a look is held against. */
    add: (key: Key, before?: Before): void => void all.set(key, { before, left: BEHIND_BLOCKS }),
    before: (key: Key): Before | undefined => all.get(key)?.before,
    settle: (key: Key): void => void all.delete(key),
    isEmpty: (): boolean => all.size === 0,
    /** There is another block. @returns what is looked at now. */
    next: (): readonly Key[] => {
      const due = [...all.keys()];
      for (const [key, looks] of all) {
        looks.left -= 1;
        if (looks.left === 0) all.delete(key);
      }
      return due;
    },
  };
}
