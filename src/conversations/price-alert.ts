import { card } from "../cards/card.js";
import { NATIVE_TOKEN } from "../encoding/amount.js";
import { type AlertRequest, readAlert } from "../services/price-alert/request.js";
import { createForm, type FormOf } from "./interview.js";
import { pick, readingLine, tokenQuestion } from "./questions.js";

const OFFERED = ["5%", "10%", "20%"];

/** Asks for the token, where no line says it yet, and for the condition. @param parts.submit takes the id of the alert that it changes, too. */
export function alertForm(parts: FormOf<AlertRequest & { readonly id: string | undefined }>) {
  return createForm("price-alert.1", parts, async (interview, line: string = "", id?: string) => {
    const { words, tokens, asks, submits } = interview;
    const askPair = async () => {
      const market = await interview.market();
      const token = await asks(tokenQuestion(interview, words.priceAlert.askToken, { market }));
      const isNative = token.id === NATIVE_TOKEN;
      const askOther = () => tokenQuestion(interview, words.priceAlert.askOther(token.id), { market, other: token });
      return `${token.id} ${isNative ? (await asks(askOther())).id : NATIVE_TOKEN}`;
    };
    const head = line === "" ? await askPair() : line;
    const asked = words.priceAlert.askRule(head);
    const read = readingLine(words, asked, (text) => readAlert(`${head} ${text}`, tokens));
    const prompt = card([asked], [OFFERED.map((answer) => pick(answer))]);
    return submits({ hasNumbers: true, prompt, read }, (request) => ({ ...request, id }));
  });
}
