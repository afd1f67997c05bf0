import type { ReturnDataEncoding } from "../encoding/result.js";
import type { Messages } from "../locales/messages.js";

/** For whom a card is drawn, and what is the same on every card. */
export interface View {
  readonly words: Messages;
  /** IANA name. */
  readonly timeZone: string;
  readonly returnDataEncoding: ReturnDataEncoding;
}
