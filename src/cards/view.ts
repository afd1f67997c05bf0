import type { ReturnDataEncoding } from "../encoding/result.js";
import type { Messages } from "../locales/messages.js";

/** For whom a card is drawn, and what is the same on every card. */
export interface View {
  readonly words: Messages;
  /** IANA name. */
  readonly timeZone: string;
  readonly returnDataEncoding: ReturnDataEncoding;
  /** Whether calls are made, and paid, by the person's own account; otherwise the node decides whose it is. */
  readonly callerIsPerson: boolean;
  /** From so many hundredths of a percent on, a loss against the pools' price is warned of, and has to be agreed to. */
  readonly warnImpactBps: number;
  readonly maxImpactBps: number;
  /** Words of the person's own, by which they know a card of this bot. */
  readonly phrase?: string | undefined;
  /** Where people's wallets sign, if they do: the bot's own address, without a slash at its end. */
  readonly publicUrl?: string | undefined;
  /** What a transaction's hash is put behind, to look at it. */
  readonly explorerUrl?: string | undefined;
}
