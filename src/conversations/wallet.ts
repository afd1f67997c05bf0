import type { Address } from "../encoding/address.js";
import { createForm, type Form, type FormOf, type Interview } from "./interview.js";
import { walletQuestion } from "./questions.js";

export function walletForm(parts: FormOf<Address>) {
  return createForm("wallet.1", parts, ({ words, submits }) => submits(walletQuestion(words), (address) => address));
}

/** Asks for the wallet address first where there is none. `line` is what was typed already. */
export function createPayingForm<Filled>(
  id: string,
  parts: FormOf<Filled>,
  collect: (interview: Interview<Filled>, line: string) => Promise<void>,
): Form<[line?: string]> {
  return createForm(id, parts, async (interview, line?: string) => {
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
