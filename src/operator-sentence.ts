import { splitCredentials } from "./encoding/credentials.js";
import type { Fault, FaultCode, FaultParameters, ServiceName } from "./fault.js";
import { errorMessage, messages } from "./locales/messages.js";

/** Where services are: each one's variable and value. */
export type ServicePlaces = Readonly<Partial<Record<ServiceName, readonly [variable: string, url: string]>>>;

/**
 * Says to an operator at a terminal what is wrong where, why, and what to do next. Users get the sentences of `locales/`,
 * which send them to the operator. In English, as everything that programs print.
 */
export function operatorSentence(fault: Fault, places: ServicePlaces = {}): string {
  const sentence = sentences[fault.code] as Sentence<FaultCode> | undefined;
  const where = (service: ServiceName) => whereIs(service, places);
  return sentence?.(fault.parameters, { where, why: causeOf(fault) }) ?? errorMessage(fault, messages.en);
}

type Sentence<Code extends FaultCode> = (
  parameters: FaultParameters[Code],
  around: { readonly where: (service: ServiceName) => string; readonly why: string },
) => string;

const sentences: { readonly [Code in FaultCode]?: Sentence<Code> } = {
  "service-unreachable": ({ service }, { where, why }) =>
    `${where(service)} can't be reached${why}. Is it running, and is the address right?`,
  "service-timeout": ({ service }, { where }) =>
    `${where(service)} did not answer in time. Is it overloaded? HTTP_TIMEOUT_SECONDS gives it longer.`,
  "service-status": ({ service, status }, { where }) =>
    `${where(service)} answers with status ${status}. ${status < 500 ? "Is it the right service, and the whole path?" : "Its own log should say why."}`,
  "service-rate-limited": ({ service, retryAfterSeconds }, { where }) =>
    `${where(service)} gets too many requests. Try again in ${retryAfterSeconds} s.`,
  "service-unauthorized": ({ service }, { where }) => `${where(service)} refuses ${credentials[service]}.`,
  "answer-unreadable": ({ reason }) => `The answer can't be read (${reason}). Is it the right service?`,
  "token-nonexistent": ({ token }, { where }) =>
    `${where("node")} doesn't know the token “${token}”. Look its ID up in an explorer; it has the form KLV or DVK-34ZH.`,
  "assets-untold": ({ status }, { where }) =>
    `${where("node")} answers with status ${status}. Is it the right service, and the whole path? It was asked for GET /asset/{id}, which it must serve; a node of klever-go does, a proxy in front of it need not.`,
  "token-list-invalid": ({ reason }) =>
    reason.endsWith("does not exist or says nothing")
      ? `TOKENS_FILE can't be used: ${reason}. Write it: npm run tokens -- add KLV KFI`
      : `TOKENS_FILE can't be used: ${reason}. Correct it in an editor, then: npm run tokens -- check`,
  "pools-file-invalid": ({ reason }) => `POOLS_FILE can't be used: ${reason}. Correct it, or leave the variable empty.`,
  "store-locked": ({ directory }) =>
    `Another instance of this bot is already running on ${directory}. Stop it, then run this again.`,
  "store-read-failed": ({ document }, { why }) =>
    `${document} can't be read${why}. Check the path, and STORE_DIR; a backup is made by: npm run store -- backup FILE`,
  "store-write-failed": ({ document }, { why }) =>
    `${document} can't be written${why}. Does its folder exist, may you write there, and is there space?`,
  "store-lost": ({ directory }, { why }) =>
    `${directory} can't be used any more${why}: its disk failed, the server lost writes, waits for a replica or is an old primary, or another instance has taken over. Start the bot again; nothing is sent twice.`,
  "store-newer": ({ document }) => `A newer version of Swapdesk wrote ${document}. Use that version.`,
  "store-unmigrated": ({ document, reason }) =>
    `${document} can't be brought to this version (${reason}); nothing in it was changed. Go on with the version that wrote it, or begin with an empty STORE_DIR or database.`,
  "store-damaged": ({ file, reason }) =>
    `${file} is damaged (${reason}); nothing in it was changed. A backup goes into an empty STORE_DIR: npm run store -- restore FILE`,
  "store-unreadable": ({ document }) => `The record ${document} can't be read, and nothing was changed.`,
  "database-unusable": ({ reason }) => `DATABASE_URL can't be used: ${reason}.`,
};

const serviceNames: Readonly<Record<ServiceName, string>> = {
  node: "The node",
  quotation: "The quotation service",
  exchange: "The exchange",
  telegram: "Telegram",
};

const credentials: Readonly<Record<ServiceName, string>> = {
  node: "the user and password in its URL",
  quotation: "the user and password in its URL",
  exchange: "ORDER_API_KEY",
  telegram: "BOT_TOKEN",
};

/** A service, and where it is configured to be, without user and password. */
function whereIs(service: ServiceName, places: ServicePlaces): string {
  const [variable, url] = places[service] ?? [];
  if (variable === undefined || url === undefined) return serviceNames[service];
  return `${serviceNames[service]} (${variable}, ${splitCredentials(url).url.href})`;
}

/** SQLite's code for a file that isn't there, or may not be opened. */
const CANNOT_OPEN = 14;

/** Why, in the words of the deepest cause that has any: the system's are codes, such as ECONNREFUSED. */
function causeOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return "";
  const deeper = causeOf(cause);
  if (deeper !== "") return deeper;
  if ("errcode" in cause && cause.errcode === CANNOT_OPEN) return " (no such file, or no right to open it)";
  const isSystem = "code" in cause && typeof cause.code === "string" && /^E[A-Z]+$/.test(cause.code);
  const why = isSystem ? String(cause.code) : cause.message;
  return why === "" ? "" : ` (${why})`;
}
