import { nodeAnswer, Refusal, refusalAnswer } from "../node/answer.js";
import type { ChainState } from "./state.js";

/** As klever-go answers `GET /asset/{id}`: bytes in base64, without zeros (kapps/kda.pb.go); a nonce is ignored. */
export function assetAnswer(state: ChainState, text: string): Response {
  const [id = ""] = text.split("/");
  const problem = problemOf(id);
  // As much an answer as any other, but klever-go gives it status 500 (network/api/asset/routes.go).
  if (problem !== undefined) return refusalAnswer(new Refusal(`could not get requested asset: ${problem}`, 500));
  return nodeAnswer({ asset: describe(state, id) });
}

/** Without any field if there is no such token. */
function describe(state: ChainState, id: string): object {
  const declared = state.world.tokens.find((each) => each.id === id);
  const token = declared ?? state.issuedTokens.get(id);
  if (token === undefined) return {};
  const fields = {
    AssetType: declared?.kind === "semi-fungible" ? 2 : 0,
    ID: base64(id),
    Name: base64(token.name),
    Ticker: base64(id.split("-")[0] ?? id),
    Precision: token.precision,
    CirculatingSupply: state.ledger.supply({ tokenId: id, nonce: 0n }),
  };
  const set = Object.entries(fields).filter(([, value]) => value !== 0 && value !== 0n);
  return { ...Object.fromEntries(set), Properties: {}, Attributes: {} };
}

/** Words of klever-go, whose rule is laxer than that of issuing (core/process/kda/kdautils/utils.go). */
function problemOf(id: string): string | undefined {
  if (id === "KLV" || id === "KFI") return undefined;
  const [ticker = "", suffix = "", ...rest] = id.split("-");
  if (!id.includes("-") || rest.length > 0) return "invalid ticker name";
  if (ticker.length < 3 || ticker.length > 10) return "invalid ticker name length";
  if (suffix.length !== 4) return `invalid ticker random sequence length: ${suffix.length}`;
  return /^[0-9a-z]+$/i.test(suffix) ? undefined : `invalid ticker random sequence encoding: ${suffix}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
