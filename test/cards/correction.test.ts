import { expect, it } from "vitest";
import { refusal, typedBehind } from "../../src/cards/correction.js";
import { Fault } from "../../src/fault.js";
import { messages } from "../../src/locales/messages.js";
import { asRead } from "../support/as-read.js";

const refused = (text: string, ids: readonly string[] = []) => {
  const { text: said, keyboard = [] } = refusal(
    [new Fault("token-unknown", { text, ids })],
    messages.en,
    typedBehind("swap", `10 KLV ${text}`),
  );
  return [asRead(said), keyboard.flat().map((key) => ("callback_data" in key ? key.callback_data : ""))];
};

it("a token that isn't listed is said to be that, wherever it is named, and leads to its card", () => {
  expect(refused("honey-8k2p")).toEqual([
    "HONEY-8K2P isn't on this bot's list, so it can't be traded here. Tap it to see what its issuer can do.",
    ["v1:t:HONEY-8K2P"],
  ]);
  expect(refused("NOPE")).toEqual(["I don't know the token “NOPE”. Send its exact ID, such as KFI or DVK-34ZH.", []]);
  // Likelier a slip of the finger.
  expect(refused("DVK-34ZJ", ["DVK-34ZH"])).toEqual([
    "I don't know the token “DVK-34ZJ”. Did you mean DVK-34ZH?",
    ["v1:do:swap 10 KLV DVK-34ZH"],
  ]);
});
