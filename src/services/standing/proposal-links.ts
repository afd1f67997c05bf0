import { hash, randomBytes } from "node:crypto";
import { Fault } from "../../fault.js";
import { type StoreBasics, type Transaction } from "../../store/store.js";
import { looksOf, plainText } from "../base/display-text.js";
import { looksLikeSecret } from "../base/secret.js";
import { changePerson } from "../person/person.js";
import { linkBySecret, linksOf, type ProposalLink } from "./proposal-queries.js";

/** The links by which programs propose trades to people. */
export interface ProposalLinks {
  /**
   * Makes one. One of that name which was never used gives way to it: the answer with its secret may have got lost.
   * @returns the secret, which nothing else ever tells. @throws Fault `link-full`, `link-named`.
   */
  readonly create: (userId: number, name: string) => Promise<string>;
  readonly list: (userId: number) => Promise<readonly ProposalLink[]>;
  /** While it is paused, what comes by it is refused. @returns the link; undefined if there is none. */
  readonly pause: (userId: number, id: string, isPaused: boolean) => Promise<ProposalLink | undefined>;
  /** Nothing comes by it from then on; cards that it has brought stay. */
  readonly remove: (userId: number, id: string) => Promise<void>;
  /** Whether there may be a link with it, without a query; undefined until that is known. */
  readonly isKnown: (secret: string) => boolean | undefined;
  /** Whose link it is. */
  readonly find: (secret: string) => Promise<ProposalLink | undefined>;
}

export const MAX_LINKS = 10;
const MAX_LINK_NAME = 24;
/** Letters, digits and what joins them: nothing that Telegram would make a command, a mention or a link of. */
const LINK_NAME = new RegExp(`^(?=[\\p{L}\\p{N}])[\\p{L}\\p{M}\\p{N} '’_-]{1,${MAX_LINK_NAME}}$`, "u");

export const digest = (text: string): string => hash("sha256", text);

/** @throws Fault `link-name`. */
export function parseLinkName(text: string): string {
  const name = plainText(text, MAX_LINK_NAME + 1);
  // Nothing of a longer text is dropped without a word.
  if (text.length > 2 * MAX_LINK_NAME || !LINK_NAME.test(name))
    throw new Fault("link-name", { maximum: MAX_LINK_NAME });
  return name;
}

/** 32 bytes, in base64url. Pasted into a chat, each is taken for a key: those few that wouldn't be aren't used. */
function newSecret(): string {
  const secret = randomBytes(32).toString("base64url");
  return looksLikeSecret(secret) ? secret : newSecret();
}

export function createProposalLinks({ store, clock, newId }: StoreBasics & { newId: () => string }): ProposalLinks {
  /** The hashes of secrets: of all, once they are read. One that was deleted since is harmless. */
  const hashes = new Set<string>();
  let reading: Promise<void> | undefined;
  let isWhole = false;
  const read = async (): Promise<void> => {
    const rows = await store.db.selectFrom("proposal_links").select("secret").execute();
    for (const { secret } of rows) hashes.add(secret);
    isWhole = true;
  };
  const add = async (tx: Transaction, userId: number, name: string, secret: string): Promise<void> => {
    const own = await linksOf(tx, userId);
    const same = own.find((link) => looksOf(link.name) === looksOf(name));
    if (same !== undefined && same.last_at !== null) throw new Fault("link-named", { text: name });
    if (same === undefined && own.length >= MAX_LINKS) throw new Fault("link-full", { maximum: MAX_LINKS });
    if (same !== undefined) await drop(tx, same);
    // A person who has only used defaults until now is kept, so that `/forget` finds them.
    await changePerson(tx, userId, (person) => ({ ...person }));
    const counts = { day: "", came: 0, unread: 0, late: 0, unmade: 0 };
    const row = { id: newId(), user_id: userId, name, secret: digest(secret), created_at: clock.now() };
    await tx
      .insertInto("proposal_links")
      .values({ ...row, ...counts, last_at: null, paused: null })
      .execute();
  };

  return {
    create: async (userId, name) => {
      const secret = newSecret();
      hashes.add(digest(secret));
      await store.write((tx) => add(tx, userId, name, secret));
      return secret;
    },
    list: (userId) => linksOf(store.db, userId),
    pause: (userId, id, isPaused) =>
      store.write((tx) => {
        const own = tx.updateTable("proposal_links").set({ paused: isPaused ? 1 : null });
        return own.where("id", "=", id).where("user_id", "=", userId).returningAll().executeTakeFirst();
      }),
    remove: (userId, id) => store.write((tx) => drop(tx, { id, user_id: userId })),
    isKnown: (secret) => {
      if (isWhole || hashes.has(digest(secret))) return hashes.has(digest(secret));
      // The store's answer to the request itself says what is wrong, if that fails.
      reading ??= read().catch(() => (reading = undefined));
      return undefined;
    },
    find: (secret) => linkBySecret(store.db, digest(secret)),
  };
}

async function drop(tx: Transaction, { id, user_id }: Pick<ProposalLink, "id" | "user_id">): Promise<void> {
  const own = tx.deleteFrom("proposal_links").where("id", "=", id).where("user_id", "=", user_id);
  const { numDeletedRows } = await own.executeTakeFirst();
  if (numDeletedRows > 0n) await tx.deleteFrom("proposals").where("link", "=", id).execute();
}
