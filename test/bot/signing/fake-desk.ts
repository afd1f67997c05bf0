import type { SigningRequests, SigningRequest } from "../../../src/services/signing/signing-requests.js";
import { parseAddress } from "../../../src/encoding/address.js";

export const token = "A".repeat(43);

export const request: SigningRequest = {
  kind: "open",
  language: "en",
  botName: "swapdesk_sandbox_bot",
  title: "Swap KLV → KFI",
  phrase: "blue elephant",
  figures: [
    ["You pay", "100 KLV"],
    ["You get at least", "0.98 KFI"],
  ],
  lines: ["⚠️ This price is 3% below the pools"],
  more: ["Fee 1%: 0.0099 KFI", "Price impact: 0.01%"],
  networkFee: "4.51 KLV",
  address: parseAddress("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy"),
  chainId: "109",
  provider: { node: "https://node.example", api: "https://api.example" },
  secondsLeft: 300,
  hash: "ab".repeat(32),
  transaction: { RawData: { Nonce: 7 } },
};

/** A request that is over. */
export const closed = (sentence: string, language = "pt", heading = "Nothing to sign", lines: readonly string[] = []) =>
  ({
    kind: "closed",
    language,
    botName: request.botName,
    heading,
    about: request.title,
    sentence,
    lines,
    isOver: true,
  }) as const;

export interface FakeDesk extends SigningRequests {
  /** What `request` returns. */
  state: Awaited<ReturnType<SigningRequests["request"]>>;
  /** Whether a signature fits. */
  fits: (signature: string) => boolean;
  readonly calls: string[];
}

/** A single request, under {@link token}; the first signature that fits, or the first decline, closes it. */
export function fakeDesk(open: SigningRequest = request): FakeDesk {
  const known = (asked: string) => (asked === token ? desk.state : ({ kind: "unknown" } as const));
  const desk: FakeDesk = {
    state: open,
    fits: () => true,
    calls: [],
    request: async (asked) => {
      desk.calls.push("request");
      return known(asked);
    },
    postSignature: async (asked, signature) => {
      desk.calls.push(`signature ${signature}`);
      const state = known(asked);
      if (state.kind !== "open") return state;
      if (!desk.fits(signature)) return { kind: "wrong-signature" };
      desk.state = { ...closed("It is on its way.", open.language, "Signed"), isOver: false };
      return { kind: "accepted" };
    },
    decline: async (asked) => {
      desk.calls.push("decline");
      const state = known(asked);
      if (state.kind !== "open") return state;
      desk.state = closed("You declined this.", open.language);
      return { kind: "declined" };
    },
  };
  return desk;
}
