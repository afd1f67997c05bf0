import { createDialog, type DialogParts, type Interview } from "./interview.js";
import { walletQuestion } from "./questions.js";

/** A dialog about what needs a payout address, which it asks for where there is none yet. `line` is what was typed already. */
export function payingDialog(parts: DialogParts, collect: (interview: Interview, line: string) => Promise<void>) {
  return createDialog(parts, async (interview, line?: string) => {
    const { userId, words, asks, external } = interview;
    let { person } = interview;
    if (!person.hasWallet) {
      const address = await asks(walletQuestion(words));
      await external(() => parts.saveWallet(userId, address));
      person = await external(() => parts.readPerson(userId));
    }
    await collect({ ...interview, person }, line ?? "");
  });
}
