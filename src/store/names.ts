const COLLECTION = /^[a-z]{1,32}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws RangeError for what can't be the name of a collection. */
export function checkCollection(name: string): void {
  if (!COLLECTION.test(name)) throw new RangeError(`not the name of a collection: ${JSON.stringify(name)}`);
}

/** @throws RangeError for what can't be the id of a document. */
export function checkId(id: string): void {
  if (!ID.test(id)) throw new RangeError(`not the id of a document: ${JSON.stringify(id)}`);
}
