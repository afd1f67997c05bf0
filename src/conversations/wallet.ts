import type { Address } from "../encoding/address.js";
import { isRead, type Read } from "../services/text/line.js";
import type { TokenList } from "../services/token/list.js";
import { createForm, type Form, type FormOf, type Interview } from "./interview.js";
import { walletQuestion } from "./questions.js";

export function walletForm(parts: FormOf<Address>) {
  return createForm("wallet.1", parts, ({ words, submits }) => submits(walletQuestion(words), (address) => address));
}

/**
 * Asks for the wallet address first where there is none. What `reads` makes of the line that was typed already needs no
 * questions, where it says everything.
 */
export function createPayingForm<Filled extends object>(
  id: string,
  parts: FormOf<Filled>,
  reads: (line: string, tokens: TokenList) => Read<Filled>,
  collect: (interview: Interview<Filled>, line: string) => Promise<void>,
): Form<[line?: string]> {
  return createForm(id, parts, async (interview, line = "") => {
    const { userId, words, tokens, asks, ends, external } = interview;
    let { person } = interview;
    if (!person.hasWallet) {
      const address = await asks(walletQuestion(words));
      await external(() => parts.saveWallet(userId, address));
      person = await external(() => parts.readPerson(userId));
    }
    const read = reads(line, tokens);
    return isRead(read) ? ends(read) : collect({ ...interview, person }, line);
  });
}
