import { within } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { NATIVE_TOKEN } from "../../encoding/amount.js";
import { isFault, OUTAGES } from "../../fault.js";
import type { Basics } from "../../loop.js";
import { createKeyedQueue } from "../base/keyed-queue.js";
import { MAX_ROLES, readAsset, type NodeAsset } from "../chain/asset.js";
import type { NodeParts } from "../chain/node.js";
import { createUntoldPause } from "../chain/untold-pause.js";
import type { TokenSign } from "../terms/swap-terms.js";
import type { RoyaltyBand } from "./most-payable.js";

/**
 * What a token's issuer can do, as the node says. What a token lacks when it is created, it never gets (klever-go
 * core/kapp/kda/trigger.go).
 */
export interface TokenRights {
  readonly tokenId: string;
  /** In milliseconds since 1970. */
  readonly readAt: number;
  readonly precision: number;
  /** In any account; takes both of the chain's rights, to wipe and to burn. */
  readonly canDestroy: boolean;
  readonly canPause: boolean;
  readonly canMint: boolean;
  /** Transfers need the sender's right to send, or the receiver's to receive. */
  readonly isLimited: boolean;
  /** Set if it can't be read again: what changes may have changed since. */
  readonly isUnread?: true;
  /** What changes. */
  readonly now: {
    readonly owner?: Address | undefined;
    readonly isPaused: boolean;
    /** In base units, of those in circulation; zero if there is no maximum. */
    readonly maximum: bigint;
    readonly circulating: bigint;
    /** Addresses besides the issuer's that can make more. */
    readonly minters: number;
    readonly royalties?: Royalties | undefined;
    readonly bands: readonly RoyaltyBand[];
    readonly areRoyaltiesFinal: boolean;
    /** Of a limited token; its owner has both without being listed. */
    readonly senders: ReadonlySet<Address>;
    readonly receivers: ReadonlySet<Address>;
  };
}

export type Royalties = NonNullable<TokenSign["royalties"]>;

/** `untold`: the node doesn't serve tokens. Undefined: not known in time, or unreadable. */
export type ToldRights = TokenRights | "no-such-token" | "untold" | undefined;

const isRead = (told: ToldRights): told is TokenRights => typeof told === "object";

/** Whether nothing that an issuer does can keep a token from moving, or make that dearer. The chain's own have no royalty. */
function isSteady(told: ToldRights): boolean {
  if (!isRead(told) || told.isLimited || told.canPause || told.now.isPaused) return false;
  return told.now.areRoyaltiesFinal || !told.tokenId.includes("-");
}

/** What tokens' issuers can do, read from the node when it is asked for. */
export interface RightsReader {
  /**
   * A minute old at most; if it can change whether the token moves, and for what, also no older than `maxAge`
   * milliseconds. Older, and marked so, if it can't be read again. Never throws a Fault, and never takes long: but a
   * node that says for the first time that it doesn't serve tokens is asked again, seconds later.
   */
  readonly known: (tokenId: string, maxAge?: number) => Promise<ToldRights>;
}

const MAX_AGE_MS = 60_000;
/** Maximum age when a card is confirmed: they are read for it. */
export const CONFIRM_AGE_MS = 0;
/** Maximum wait for what a quote can do without. */
const MAX_RIGHTS_WAIT_MS = 1500;
const MAX_ASSET_READS = 8;
/** How long a node that doesn't answer is left alone, or one token that it doesn't answer for. */
const FAILED_REST_MS = 5_000;
/** Maximum number of tokens that are remembered, and of addresses and royalty bands in all of them: those read last. */
export const MAX_KEPT_RIGHTS = 1000;
export const MAX_KEPT_ENTRIES = MAX_ROLES;

/** Reads what issuers can do, once for all who ask at the same time, and keeps it for when a read fails. */
export function createTokenRights(parts: NodeParts & Basics): RightsReader {
  const { clock, log } = parts;
  const queue = createKeyedQueue(MAX_ASSET_READS);
  const reading = new Map<string, Promise<ToldRights>>();
  const kept = new Map<string, { readonly told: ToldRights; readonly at: number }>();
  /** When tokens may be asked for again that the node didn't answer for. */
  const failed = new Map<string, number>();
  let entries = 0;
  const forget = (tokenId: string) => {
    entries -= keptEntriesOf(kept.get(tokenId)?.told);
    kept.delete(tokenId);
  };
  let restsUntil = Number.NEGATIVE_INFINITY;
  const untold = createUntoldPause(clock);
  /** A node that has told of a token serves them: what it says otherwise later is a failure. */
  let hasTold = false;

  const resting = () => (untold.isOn() ? "untold" : undefined);
  const keep = (tokenId: string, told: ToldRights): ToldRights => {
    hasTold = true;
    untold.end();
    forget(tokenId);
    kept.set(tokenId, { told, at: clock.monotonic() });
    entries += keptEntriesOf(told);
    for (const [oldest] of kept) if (kept.size > MAX_KEPT_RIGHTS || entries > MAX_KEPT_ENTRIES) forget(oldest);
    return told;
  };
  const readOne = async (tokenId: string): Promise<ToldRights> => {
    const now = clock.monotonic();
    if (untold.isOn() || now < restsUntil || now < (failed.get(tokenId) ?? now)) return resting();
    try {
      return keep(tokenId, rightsOf(await readAsset(parts, tokenId), tokenId, clock.now()));
    } catch (error) {
      if (!isFault(error)) throw error;
      // A token that was there doesn't vanish: the node says something wrong.
      if (isFault(error, "token-nonexistent") && !isRead(kept.get(tokenId)?.told))
        return keep(tokenId, "no-such-token");
      log.info({ err: error }, "What a token's issuer can do is unreadable");
      if (!isFault(error, "assets-untold", ...OUTAGES)) return resting();
      if (tokenId !== NATIVE_TOKEN) {
        // One odd token says nothing of the others: whether the node answers at all, the chain's own shows.
        failed.delete(tokenId);
        failed.set(tokenId, clock.monotonic() + FAILED_REST_MS);
        for (const [oldest] of failed) if (failed.size > MAX_KEPT_RIGHTS) failed.delete(oldest);
        await readShared(NATIVE_TOKEN);
        if (untold.isOn()) failed.delete(tokenId);
      } else if (isFault(error, "assets-untold") && !hasTold) untold.note();
      else {
        untold.end();
        restsUntil = clock.monotonic() + FAILED_REST_MS;
      }
      return resting();
    }
  };
  const readShared = (tokenId: string): Promise<ToldRights> => {
    // Those who have failed wait in the queue for the native one, so that it may not wait behind them.
    const begin = () => (tokenId === NATIVE_TOKEN ? readOne(tokenId) : queue.take(tokenId, () => readOne(tokenId)));
    const read = reading.get(tokenId) ?? begin().finally(() => reading.delete(tokenId));
    reading.set(tokenId, read);
    return read;
  };

  return {
    known: async (tokenId: string, maxAge = MAX_AGE_MS): Promise<ToldRights> => {
      const before = kept.get(tokenId);
      const age = before === undefined ? Infinity : clock.monotonic() - before.at;
      if (age < (isSteady(before?.told) ? MAX_AGE_MS : maxAge)) return before?.told;
      let told = await within(clock, MAX_RIGHTS_WAIT_MS, readShared(tokenId));
      if (told === "untold") {
        await untold.first();
        if (!untold.isOn()) told = await within(clock, MAX_RIGHTS_WAIT_MS, readShared(tokenId));
      }
      const last = before?.told;
      if (isRead(told) || !isRead(last)) return told;
      return { ...last, isUnread: true };
    },
  };
}

function keptEntriesOf(told: ToldRights): number {
  if (!isRead(told)) return 0;
  return told.now.senders.size + told.now.receivers.size + told.now.bands.length;
}

export function rightsOf(asset: NodeAsset, tokenId: string, readAt: number): TokenRights {
  const { Properties: can, Attributes: is, OwnerAddress: owner } = asset;
  // Of several entries for an address, the chain goes by the first.
  const roles = new Map(asset.Roles.toReversed().map((role) => [role.Address, role]));
  const having = (right: "HasRoleDeposit" | "HasRoleMint" | "HasRoleTransfer") =>
    [...roles].flatMap(([address, role]) => (address !== undefined && role[right] ? [address] : []));
  const limited = (right: "HasRoleDeposit" | "HasRoleTransfer") =>
    new Set(can.LimitTransfer ? [...having(right), ...(owner === undefined ? [] : [owner])] : []);
  return {
    tokenId,
    readAt,
    // oxlint-disable-next-line money/no-floating-point -- a count of decimals
    precision: Number(asset.Precision),
    canDestroy: can.CanWipe && can.CanBurn,
    canPause: can.CanPause,
    canMint: can.CanMint,
    isLimited: can.LimitTransfer,
    now: {
      owner,
      isPaused: is.IsPaused,
      maximum: asset.MaxSupply,
      circulating: asset.CirculatingSupply,
      minters: having("HasRoleMint").filter((address) => address !== owner).length,
      royalties: royaltiesOf(asset.Royalties),
      bands: asset.Royalties.TransferPercentage.map(({ Amount: width, Percentage: bps }) => ({ width, bps })),
      areRoyaltiesFinal: is.IsRoyaltiesChangeStopped,
      senders: limited("HasRoleTransfer"),
      receivers: limited("HasRoleDeposit"),
    },
  };
}

/** The bands' lowest and highest share: what one amount costs depends on it. */
function royaltiesOf({
  TransferFixed: fixed,
  TransferPercentage: bands,
}: NodeAsset["Royalties"]): Royalties | undefined {
  // oxlint-disable-next-line money/no-floating-point -- basis points, at most 10000
  const shares = bands.map(({ Percentage }) => Number(Percentage));
  const [leastBps, mostBps] = shares.length === 0 ? [0, 0] : [Math.min(...shares), Math.max(...shares)];
  return mostBps === 0 && fixed === 0n ? undefined : { leastBps, mostBps, fixed };
}

/** The rights of several tokens, read side by side. */
export async function rightsFor(reader: RightsReader, tokenIds: readonly string[], maxAge?: number) {
  const ids = [...new Set(tokenIds)];
  return new Map(await Promise.all(ids.map(async (id) => [id, await reader.known(id, maxAge)] as const)));
}
