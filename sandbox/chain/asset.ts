import { issued, type Issued } from "../world.js";
import { bytesOf } from "./address.js";
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
  const issued = state.issued.get(id) ?? issuedByPair(state, id);
  const royalties = issued?.Royalties;
  const fields = {
    AssetType: declared?.kind === "semi-fungible" ? 2 : 0,
    ID: base64(id),
    Name: base64(token.name),
    Ticker: base64(id.split("-")[0] ?? id),
    Precision: token.precision,
    OwnerAddress: issued?.OwnerAddress && bytesOf(issued.OwnerAddress).toString("base64"),
    CirculatingSupply: state.ledger.supply({ tokenId: id, nonce: 0n }),
    MaxSupply: issued?.MaxSupply,
    Royalties:
      royalties && withoutZeros({ ...royalties, TransferPercentage: royalties.TransferPercentage.map(withoutZeros) }),
    Roles: issued?.Roles.map(({ Address: address, ...roles }) => ({
      Address: bytesOf(address).toString("base64"),
      ...withoutZeros(roles),
    })),
  };
  return {
    ...withoutZeros(fields),
    Properties: withoutZeros(issued?.Properties ?? {}),
    Attributes: withoutZeros(issued?.Attributes ?? {}),
  };
}

/** A pair owns its LP token, of which it makes and destroys what it needs. */
function issuedByPair(state: ChainState, id: string): Issued | undefined {
  const [owner] = state.pairs.entries().find(([, { lpToken }]) => lpToken === id) ?? [];
  return (
    owner && issued.parse({ OwnerAddress: owner, Properties: { CanMint: true, CanBurn: true, CanAddRoles: true } })
  );
}

/** As Go writes what may be omitted: without zeros, `false` and what is empty. */
function withoutZeros(fields: object): object {
  const isSet = (value: unknown) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== 0 && value !== 0n && value !== false;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
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
