/** In the same order, so many at a time. */
export function inLots<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return items.flatMap((_, at) => (at % size === 0 ? [items.slice(at, at + size)] : []));
}
