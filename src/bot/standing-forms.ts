import { metCard, setUpCard, standingCard } from "../cards/standing.js";
import { type Amount, gainBps } from "../encoding/amount.js";
import { card, type Card, type CardReply } from "../cards/card.js";
import { refusal, typedBehind } from "../cards/correction.js";
import { withZone } from "../conversations/settings.js";
import * as dialogs from "../conversations/standing.js";
import type { SetUp, StandingFilled, StandingKindAsked } from "../conversations/standing.js";
import { Fault, isFault } from "../fault.js";
import { isParsed } from "../services/base/typed-line.js";
import type { Allowance } from "../services/base/rate.js";
import type { Balances } from "../services/chain/query-gateway.js";
import type { RightsReader } from "../services/market/token-rights.js";
import { changePerson, personIn, withChange } from "../services/person/person.js";
import { exactLine } from "../services/standing/exact-line.js";
import type { StandingOrder } from "../services/standing/standing-queries.js";
import type { StandingOrders } from "../services/standing/standing-orders.js";
import { otherReading, type StandingOrderRequest } from "../services/standing/standing-preview.js";
import { outputOf, type Swaps } from "../services/trade/swap.js";
import { amountPaid, readSwap } from "../services/trade/swap-request.js";
import { type BotBase, ownerOf, type PersonFlavor } from "./context.js";
import type { Forms } from "./forms.js";
import { catchUserError, shownTo } from "./reply.js";

export interface StandingFormsParts {
  readonly base: BotBase;
  readonly balances: Balances;
  readonly forms: Forms;
  readonly quoteAllowance: Allowance;
  readonly rights: RightsReader;
  readonly standingOrders: StandingOrders;
  readonly swaps: Swaps;
}

/** What the dialogs of standing orders ask of the bot. */
export function standingForms(parts: StandingFormsParts): dialogs.StandingFormParts {
  const { base, forms } = parts;
  return {
    ...forms,
    preview: (userId, asked) => previewFor(parts, userId, asked),
    netNow: (userId, pair) => netNow(parts, userId, pair),
    zoneOf: (userId) => chosenZone(base, userId),
    saveZone: (userId, zone) => saveZone(base, userId, zone),
    submit: (userId, filled) => shownTo(base, userId, (owner) => set(parts, owner, filled)),
  };
}

async function chosenZone({ store }: BotBase, userId: number): Promise<string | undefined> {
  const { timeZone, timeZoneSince } = await personIn(store.db, userId);
  return timeZoneSince === undefined ? undefined : timeZone;
}

/** @throws Fault if the line isn't an order, which only happens if the token list has changed meanwhile. */
function requestOf(parts: StandingFormsParts, kind: StandingKindAsked, line: string): StandingOrderRequest {
  const read = dialogs.standingReaders[kind](line, parts.forms.tokens);
  if (isParsed<StandingOrderRequest>(read)) return read;
  throw typeof read === "string" ? new Fault("standing-over", {}) : (read.faults[0] ?? new Fault("standing-over", {}));
}

async function previewFor(
  parts: StandingFormsParts,
  userId: number,
  { kind, line, id }: Omit<StandingFilled, "isSure">,
): Promise<SetUp> {
  const { words, view } = await ownerOf(parts.base, userId);
  const made = await catchUserError(
    words,
    async () => {
      const request = requestOf(parts, kind, line);
      const preview = await parts.standingOrders.preview(userId, request);
      const other = id === undefined ? otherReading(request, preview) : undefined;
      if (other !== undefined) return { card: refusal([other], words) };
      if (preview.isMet) return { card: metCard(preview, view) };
      const { isFar } = preview;
      return { card: setUpCard(preview, id !== undefined, view), line: exactLine(request, preview), isFar };
    },
    typedBehind(dialogs.standingCommands[kind], line),
  );
  return made.ok ? made.value : { card: made.card };
}

async function set(
  parts: StandingFormsParts,
  { userId, view }: PersonFlavor,
  { kind, line, id, isSure }: StandingFilled,
): Promise<CardReply | Card> {
  const { standingOrders } = parts;
  const { settings, standing: words } = view.words;
  const request = requestOf(parts, kind, line);
  const saving =
    id === undefined
      ? standingOrders.create(userId, request, isSure)
      : standingOrders.edit(userId, id, request, isSure);
  const order = await saving.catch(async (error: unknown) => {
    if (!isFault(error, "standing-met")) throw error;
    // The price has come there since the set-up was shown.
    return standingOrders.preview(userId, request);
  });
  if (order !== undefined && "isMet" in order) return { ok: false, card: metCard(order, view) };
  if (order !== undefined) await noteStop(parts.base, userId, order);
  const shown = order && (await standingOrders.find(userId, order.id));
  if (shown === undefined) return card([words.gone]);
  return standingCard(
    { ...shown, ...(order && { netNow: order.netNow }) },
    view,
    id === undefined ? words.setTitle[kind] : settings.saved,
  );
}

/** Keeps how far below the price a stop, or an exit that is one, was set, for the next one's button. */
async function noteStop(
  { store }: BotBase,
  userId: number,
  { kind, rule, netNow }: StandingOrder & { netNow: Amount },
) {
  const floor = "targets" in rule && rule.targets.length === 0 ? rule.floor : kind === "stop" ? rule : undefined;
  const below = floor !== undefined && "net" in floor ? gainBps(floor.net, netNow) : undefined;
  if (below === undefined || below > -100n || below < -9_000n) return;
  const stopPercent = String((50n - below) / 100n);
  await store.write((tx) => changePerson(tx, userId, (person) => ({ ...person, stopPercent })));
}

/** What a typed payment of a pair would bring now, after the fee. */
async function netNow(parts: StandingFormsParts, userId: number, pair: string) {
  const { person, words } = await ownerOf(parts.base, userId);
  const read = readSwap(pair, parts.forms.tokens);
  if (!isParsed(read)) return undefined;
  // Without a price, there are no ready choices; the set-up says why.
  const made = await catchUserError(words, async () => {
    parts.quoteAllowance.take(userId);
    const pay = await amountPaid(
      { balances: parts.balances, rights: parts.rights, settings: parts.base.settings },
      person,
      read.pay,
      read.from,
    );
    const { net } = outputOf(await parts.swaps.quote(person, { ...read, pay }));
    return { pay: `${pay.units}`, net: `${net.units}` };
  });
  return made.ok ? made.value : undefined;
}

async function saveZone({ clock, store }: BotBase, userId: number, zone: string): Promise<void> {
  const now = clock.now();
  await store.write((tx) =>
    changePerson(tx, userId, (person) => withChange(withZone(zone)(person, now), "timezone", now)),
  );
}
