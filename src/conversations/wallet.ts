import { createDialog, type DialogParts } from "./interview.js";
import { walletQuestion } from "./questions.js";

/** Asks where a person's tokens go. */
export function walletDialog(parts: DialogParts) {
  return createDialog(parts, ({ words, submits }) =>
    submits(walletQuestion(words), (address) => ({ kind: "wallet", address })),
  );
}
