import { deflateSync, inflateSync } from "node:zlib";
import * as z from "zod";
import type { Tables } from "../../store/store.js";

type Row = Tables["intents"];

/** What nothing selects by. */
const columns = ["paid", "terms", "call", "card", "outcome", "findings", "tx"] as const;
const emptyColumns = { paid: "", terms: "", call: "", card: "", outcome: null, findings: "", tx: null } as const;
const text = z.string();
const textsSchema = z.tuple([text, text, text, text, text.nullable(), text, text.nullable()]);

/**
 * What most rows have in common; the most frequent comes last, as zlib prefers it. Never edit it: rows packed with it
 * could not be read any more.
 */
const COMMON = [
  '{"kind":"launch","step":"create-pair","request":{"kind":"launch","launchId":"","step":"issue-lp"}"set-roles""enable"',
  '"add-liquidity","firstToken":{"id":"","secondToken":{"id":"","callerTravels":true,"pair":"","lpName":"","lpTicker":"',
  '"lpTokenId":"","first":{"second":{"market":{"worth":{"differenceBps":{"loss":{"least":{"minimum":{"verdict":{"value":',
  '"minimumValue":{"period":{"minimumPeriod":{{"kind":"unlock","locked":{"tokenId":"LKTOK-","nonce":{"$bigint":"}},',
  '"name":"Locked","precision":6,"kind":"semi-fungible"},"original":{"doubts":[{"kind":"too-early","beginsAt":"too-much"',
  '"recorded":{{"kind":"lock","amount":{"unlockEpoch":{"$bigint":""},"epoch":{"$bigint":""},"unlocksAt":17,"years":{',
  '"mergesInto":{"request":{"kind":"lock","pay":{"until":{"epoch":{"$bigint":""}}}"time""contract":"simpleLock"',
  '"function":"lockTokens","inputs":{"unlock_epoch":{"function":"unlockTokens","inputs":{"opt_destination":"klv1',
  '{"kind":"failed","text":"","code":,"costsFee":true}{"kind":"unknown","code":"{"kind":"not-sent","code":"service-',
  '"parameters":{"check":{"at":17,"by":"balances","finding":"unclear","why":"other""by":"chain""not-arrived"{"kind":"ok",',
  '"returnData":["","encoding":"hex"}{"raw":{"Nonce":{"$bigint":""},"Sender":"","Contract":[{"Type":{"$bigint":"63"},',
  '"Parameter":{"type_url":"type.googleapis.com/proto.SmartContract","value":"EiAAAAAAAAAAAAUA"}}],"Data":["c3dhcEA',
  '"],"KAppFee":{"$bigint":""},"BandwidthFee":{"$bigint":""},"Version":{"$bigint":"1"},"ChainID":"MTA4"},"hash":"',
  '","nonce":{"$bigint":""},"networkFee":{"token":{"id":"KLV","name":"KLV","precision":6,"kind":"fungible"},"units":',
  '{"$bigint":""}},"token":"","signUntil":17,"sendUntil":17,"signature":"","givenAt":17,"isOver":true,"refusal":"',
  '"closing":{"state":"{"estimatedFee":{"amount":{"shareBps":{"$bigint":""}},"openedAt":,"actsFrom":17,"settlesAt":17',
  '{"kind":"multihop","hops":[{"pair":"klv1qqqqqqqqqqqqqpgq","function":"swapTokensFixedOutput","amountIn":{"amountOut":',
  '{"wanted":{"spends":{"expected":{"atMost":{"change":{"priceImpactBps":1},{"pair":"klv1qqqqqqqqqqqqqpgq","function":',
  '"swapTokensFixedInput","amountIn":{"amountIn":{"expectedOut":{"minimumOut":{"slippageBps":100,"priceImpactBps":3,',
  '"request":{"kind":"multihop","pay":{"from":{"stops":[{"token":{"exactly":{"contract":"router","function":',
  '"multiPairSwap","inputs":{"swap_operations":[{"pair_address":"klv1qqqqqqqqqqqqqpgq","token_wanted":"","amount_wanted":',
  '{"kind":"swap","amountIn":{"token":{"id":"KLV","name":"KLV","precision":6,"kind":"fungible"},"units":{"$bigint":"0',
  '000000"}},"request":{"kind":"swap","pay":{"token":{"id":"KLV","name":"KLV","precision":6,"kind":"fungible"},"units":',
  '{"$bigint":""}},"from":{"id":"KLV","name":"KLV","precision":6,"kind":"fungible"},"to":{"id":"KFI","name":"KFI",',
  '"precision":6,"kind":"fungible"}},"quotedOut":{"token":{"id":"KFI","name":"KFI","precision":6,"kind":"fungible"},',
  '"units":{"$bigint":""}},"minimumOut":{"token":{"id":"KFI","name":"KFI","precision":6,"kind":"fungible"},"units":',
  '{"$bigint":""}},"slippageBps":100,"referralPercentage":1000,"payout":"","hasNoPools":true,"pools":{"best":{"token":',
  '{"id":"KFI","name":"KFI","precision":6,"kind":"fungible"},"units":{"$bigint":""}},"path":["KLV","KFI"],"paid":{',
  '"token":{"id":"KLV","name":"KLV","precision":6,"kind":"fungible"},"units":{"$bigint":""}},"deepest":{"worth":{"token"',
  ':{"id":"KFI","name":"KFI","precision":6,"kind":"fungible"},"units":{"$bigint":""}},"path":["KLV","KFI"]},"own":{',
  '"worth":{"token":{"id":"KFI","name":"KFI","precision":6,"kind":"fungible"},"units":{"$bigint":""}},"path":["KLV",',
  '"KFI"],"feeBps":30,"impactBps":2}},"route":{"amount":{"isBetter":false}"swap":{"isBetter":true}{"contract":"referral",',
  '"address":"klv1qqqqqqqqqqqqqpgq","function":"swap","inputs":{"referral_address":"klv1","referral_percentage":',
  '{"$bigint":"1000"},"token_in":"KLV","token_out":"KFI","amount_out_min":{"$bigint":""},"amount_out_destination":"klv1"',
  '},"payments":[{"tokenId":"KLV","units":{"$bigint":""}}]}{"balances":{"before":{"KLV":{"$bigint":""},"KFI":{"$bigint":',
  '""}},"after":{"KLV":{"$bigint":""},"KFI":{"$bigint":""}},"finding":"arrived"}}',
].join("");

/** What it takes to read a packed row. */
export const packedBy = ["packed", "payout", "sign_token", "tx_hash"] as const;
type Packed = Pick<Row, (typeof packedBy)[number]>;

/** What the texts of a row repeat from its other columns counts as known too. zlib refuses any other dictionary. */
function dictionaryOf({ payout, sign_token, tx_hash }: Packed): Buffer {
  return Buffer.from(JSON.stringify([COMMON, sign_token, tx_hash, payout]));
}

/** The row with its texts packed into one value. They are not read, so a damaged row stays exactly as damaged. */
export function packed(row: Row): Row {
  const texts = JSON.stringify(columns.map((column) => row[column]));
  return {
    ...row,
    ...emptyColumns,
    pack_at: null,
    packed: deflateSync(texts, { level: 9, dictionary: dictionaryOf(row) }),
  };
}

/** The row as it was before it was packed. @throws Error for anything that {@link packed} can't have written. */
export function unpacked<Kept extends Packed>(row: Kept): Kept {
  if (row.packed === null) return row;
  const texts = inflateSync(row.packed, { dictionary: dictionaryOf(row) }).toString();
  const [paid, terms, call, card, outcome, findings, tx] = textsSchema.parse(JSON.parse(texts));
  return { ...row, paid, terms, call, card, outcome, findings, tx, packed: null };
}
