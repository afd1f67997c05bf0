import * as z from "zod";
import { unlessFaultSync } from "../../fault.js";
import { isRecord } from "../../store/store.js";
import { type Http, type HttpAnswer, type HttpRequest, parseAs } from "../base/http.js";

export type NodeParts = { readonly nodeUrl: string; readonly http: Http };

type NodeRequestOptions = Partial<Pick<HttpRequest, "body" | "isLast" | "maximumBytes" | "retry">>;

/** Sends a GET, or a POST if there is a JSON body. Retried unless `retry` is false. @throws as {@link Http.request}. */
export function askNode(
  { nodeUrl, http }: NodeParts,
  path: string,
  more: NodeRequestOptions = {},
): Promise<HttpAnswer> {
  return http.request({ service: "node", url: `${nodeUrl}/${path}`, retry: true, isAnswer: isNotFound, ...more });
}

/** Node answers are wrapped in `data`. */
export const dataOf = <Data extends z.ZodRawShape>(data: Data) => z.object({ data: z.object(data) });

/** A proxy writes field names in lower case, a node capitalises them. */
const inSmallLetters = (json: unknown) =>
  isRecord(json) ? Object.fromEntries(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value])) : json;
/** Fields by their names in small letters, however they are written. */
export const anyCase = <Shape extends z.ZodRawShape>(shape: Shape) => z.preprocess(inSmallLetters, z.object(shape));

const errorAnswer = z.object({ error: z.string().min(1) });

/** The words of a refusal. Undefined without any in klever-go's form (network/api/shared/shared.go). */
export function errorIn({ text }: Pick<HttpAnswer, "text">): string | undefined {
  return unlessFaultSync(() => parseAs(errorAnswer, text, String, "an error without words").error);
}

/** How klever-go says that something doesn't exist (common/errors.go; core/process/kda/kdautils for a malformed id). */
const NOT_FOUND_WORDS = {
  account: /account (?:was )?not found$/i,
  transaction: /transaction (?:was )?not found$/i,
  asset: /asset (?:was )?not found$|^could not get requested asset: invalid ticker /i,
  // From the store of the hashes of blocks (storage/pruning/pruningStorer.go), or of blocks.
  block: /^getting block failed: .*not found/i,
};

/** Its errors are short; a proxy's pages needn't be. */
const MAX_ERROR_CHARACTERS = 4096;
const INTERNAL_ERROR = 500;

/** Whether the node says that something doesn't exist, which klever-go does with status 500. */
export function isNotFound({ status, text }: HttpAnswer, what?: keyof typeof NOT_FOUND_WORDS): boolean {
  if (status < 400 || status > INTERNAL_ERROR || text.length > MAX_ERROR_CHARACTERS) return false;
  const words = what === undefined ? Object.values(NOT_FOUND_WORDS) : [NOT_FOUND_WORDS[what]];
  return words.some((form) => form.test(errorIn({ text }) ?? ""));
}
