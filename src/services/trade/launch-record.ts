import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { addressSchema } from "../../encoding/address.js";
import { amountSchema, tokenSchema, unlistedToken, type Token } from "../../encoding/amount.js";
import { Fault } from "../../fault.js";
import { fromJson, type Reader, readRow, stored, type Tables, toJson, type Transaction } from "../../store/store.js";
import { launchSteps, type LaunchStep } from "../terms/launch-terms.js";
import type { TokenList } from "../market/token-list.js";

const MAX_LAUNCHES = 20;

const evidence = z.enum(["view", "answer", "word"]);
export type Evidence = z.infer<typeof evidence>;

const bodySchema = stored({
  /** Both tokens in the pool's order. */
  firstToken: tokenSchema,
  secondToken: tokenSchema,
  lpName: z.string(),
  lpTicker: z.string(),
  pair: addressSchema.exactOptional(),
  lpTokenId: z.string().exactOptional(),
  /** LP units received for the first deposit, from the pair's answer. */
  lpUnits: z.bigint().nonnegative().exactOptional(),
  /** The deposit as last planned, in the pool's order. */
  liquidity: stored({ first: amountSchema, second: amountSchema }).exactOptional(),
  shownIn: z.number().exactOptional(),
  done: z.partialRecord(z.enum(launchSteps), evidence).readonly(),
  /** Steps of unknown outcome, until a view or the user settles it. */
  unknown: z.array(z.enum(launchSteps)).readonly(),
});

export type Launch = ReturnType<typeof launchIn>;

/** Newest first. @throws Fault `store-unreadable`, as does everything that reads a launch. */
export async function launchesOf(db: Reader, owner: number): Promise<readonly Launch[]> {
  const launches = db.selectFrom("launches").selectAll().where("owner", "=", owner);
  return (await launches.orderBy("created_at", "desc").execute()).map(launchIn);
}

export async function findLaunch(db: Reader, owner: number, id: string): Promise<Launch | undefined> {
  const launch = db.selectFrom("launches").selectAll().where("id", "=", id).where("owner", "=", owner);
  const row = await launch.executeTakeFirst();
  return row && launchIn(row);
}

/** @throws Fault `launch-unknown`. */
export async function launchOf(db: Reader, owner: number, id: string): Promise<Launch> {
  const launch = await findLaunch(db, owner, id);
  if (launch === undefined) throw new Fault("launch-unknown", {});
  return launch;
}

export async function launchOfPair(db: Reader, owner: number, { firstToken, secondToken }: Launch) {
  const ids = [firstToken.id, secondToken.id];
  const launches = await launchesOf(db, owner);
  return launches.find((each) => ids.includes(each.firstToken.id) && ids.includes(each.secondToken.id));
}

/** Undefined until its id is known; counted in base units if it isn't listed. */
export function lpTokenOf({ lpTokenId: id, lpName }: Launch, tokens: TokenList): Token | undefined {
  return id === undefined ? undefined : (tokens.byId(id) ?? unlistedToken(id, lpName));
}

/** Returns the existing launch of the pair, if there is one. @throws Fault `launches-full`. */
export async function addLaunch(tx: Transaction, owner: number, launch: Launch): Promise<Launch> {
  const before = await launchOfPair(tx, owner, launch);
  if (before !== undefined) return before;
  if ((await launchesOf(tx, owner)).length >= MAX_LAUNCHES) {
    throw new Fault("launches-full", { maximum: MAX_LAUNCHES });
  }
  const { id, createdAt: created_at, ...body } = launch;
  const row = { id, owner, created_at, body: toJson(body) };
  await tx.insertInto("launches").values(row).execute();
  return launch;
}

/** Writes only if something changed. @throws Fault `launch-unknown`. */
export async function changeLaunch(tx: Transaction, owner: number, id: string, change: (launch: Launch) => Launch) {
  const before = await launchOf(tx, owner, id);
  const after = change(before);
  if (isDeepStrictEqual(after, before)) return before;
  const { id: _id, createdAt: _created, ...kept } = after;
  const body = toJson(kept);
  await tx.updateTable("launches").set({ body }).where("id", "=", id).execute();
  return after;
}

export async function dropLaunch(tx: Transaction, owner: number, id: string): Promise<void> {
  await tx.deleteFrom("launches").where("id", "=", id).where("owner", "=", owner).execute();
}

/** Marks a step as done, which also settles an unknown outcome. */
export function withDone(launch: Launch, step: LaunchStep, by: Evidence): Launch {
  return { ...withOpen(launch, step), done: { ...launch.done, [step]: by } };
}

export function withOpen(launch: Launch, step: LaunchStep): Launch {
  const { [step]: _done, ...done } = launch.done;
  return { ...launch, done, unknown: launch.unknown.filter((each) => each !== step) };
}

function launchIn({ id, owner, created_at: createdAt, body }: Tables["launches"]) {
  return readRow(`launches/${owner}/${id}`, () => ({ ...bodySchema.parse(fromJson(body)), id, createdAt }));
}
