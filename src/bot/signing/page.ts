import { html, raw } from "hono/html";
import { renderSVG } from "uqr";
import { paidWithToken } from "../../cards/amount.js";
import { card } from "../../cards/card.js";
import { movedNotice } from "../../cards/intent.js";
import { endingOf, signingLines } from "../../cards/signing.js";
import { shortAddress } from "../../encoding/address.js";
import { defaultLanguage, languageOf, languages, type Messages, messagesIn } from "../../locales/messages.js";
import { cardKey } from "../../services/intent/change.js";
import type { SigningClosed, SigningRequest, SigningView } from "../../services/signing/signing-requests.js";
import type { Outbox } from "../../services/telegram/outbox-sender.js";
import { type BotBase, ownerOf } from "../context.js";

type Markup = ReturnType<typeof html>;
type Content = readonly (string | Markup)[];
type Script = "page.js" | "wait.js";

const chainNames: Readonly<Record<string, string>> = { "108": "Mainnet", "109": "Testnet" };

/**
 * Contains every sentence that the script may show, hidden, so that all of them come from the locales. @param address
 * the page's own URL.
 */
export function requestPage(request: SigningRequest, address: string, contact?: string): Markup {
  const { signing: words } = messagesIn(request.language, contact);
  const figure = (name: string, value: string | Markup) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const chain = chainNames[request.chainId] ?? `${words.chain} ${request.chainId}`;

  const { language, botName, secondsLeft } = request;
  // There from the first, so that nothing moves under a finger once the script knows.
  const timeLeft = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, "0")}`;
  const heading = headingOf(words.title, request.title);
  return document(
    { language, title: words.title, heading, botName, chain, script: "page.js" },
    html`
      ${request.phrase === undefined ? "" : html`<p class="phrase">🛡 ${request.phrase}</p>`}
      ${request.lines.map((line) => html`<p class="line">${line}</p>`)}
      <dl>
        ${request.figures.map(([label, value]) => figure(label, html`<strong>${value}</strong>`))}
        ${figure(words.networkFee, html`<strong>${request.networkFee}</strong>`)}
        ${figure(words.account, html`<code>${shortAddress(request.address)}</code>`)}
        <div id="time"><dt>${words.timeLeft}</dt><dd><span id="time-left" role="timer">${timeLeft}</span></dd></div>
      </dl>
      <noscript><p>${words.needsScript}</p></noscript>
      <div id="too-old" class="failure" role="alert"><p>${words.tooOld}</p></div>
      ${states(words, request.address)}
      <div id="elsewhere" hidden>
        <a class="button primary" href="klever-wallet://dp/browser?link=${address}">${words.openApp}</a>
        <button id="copy" type="button" data-copied="${words.copied}">${words.copy}</button>
        <code id="address" hidden>${address}</code>
        <div class="qr" role="img" aria-label="${words.qr}">${raw(renderSVG(address, { border: 2 }))}</div>
      </div>
      <div id="actions">
        <button id="sign" class="primary" type="button" data-idle="${words.sign}" data-waiting="${words.waiting}" hidden>
          ${words.sign}
        </button>
        <button id="again" class="primary" type="button" hidden>${words.again}</button>
        <button id="decline" type="button" hidden>${words.decline}</button>
      </div>
      <details>
        <summary>${words.everything}</summary>
        ${request.more.map((line) => html`<p>${line}</p>`)}
        <dl>
          ${figure(words.account, html`<code>${request.address}</code>`)}
          ${figure(words.chain, chain)}
          ${figure(words.hash, html`<code>${request.hash}</code>`)}
        </dl>
      </details>
    `,
  );
}

/** What the script says, each part while that is so; the first one until it runs. @param address that has to sign. */
function states(words: Messages["signing"], address: string): Markup {
  const part =
    (kind: string) =>
    (name: string, ...content: Content) =>
      html`<div class="${kind}" data-state="${name}" tabindex="-1" hidden>${content.map((each) => html`<p>${each}</p>`)}</div>`;
  /** A failure is a state from which the user can try again. */
  const [state, failure] = [part("state"), part("failure")];
  return html`
    <div id="states" role="status">
      <div class="state" data-state=""><p>${words.loading}</p></div>
      ${state("ready", words.ready)}
      ${state("looking", words.looking)}
      ${state("no-wallet", words.noWallet, words.noWalletHelp)}
      ${state("opening", words.opening)}
      ${failure("not-opened", words.notOpened)}
      ${failure("no-account", words.noAccount)}
      ${failure(
        "other-account",
        words.otherAccount,
        html`${words.shownAccount}: <code id="shown-account"></code>`,
        html`${words.wantedAccount}: <code>${address}</code>`,
      )}
      ${state("asking", words.asking)}
      ${failure("not-signed", words.notSigned)}
      ${failure("no-answer", words.noAnswer)}
      ${failure("unsigned", words.unsigned)}
      ${failure("wallet-error", words.walletError)}
      ${failure("wallet-failed", words.walletFailed)}
      ${failure("wrong-signature", words.wrongSignature)}
      ${state("checking", words.checking)}
      <div class="state" data-state="signed" data-heading="${words.titleSigned}" tabindex="-1" hidden>
        <p>${words.signed}</p>
      </div>
      ${state("declining", words.declining)}
      ${state("declined", words.declined)}
      <p id="said" hidden>${words.walletSays}: <q id="said-text"></q></p>
      <p id="trouble" hidden>${words.trouble}</p>
    </div>
  `;
}

export function closedPage({
  language,
  botName,
  heading: title,
  about,
  sentence,
  lines,
  isOver,
}: SigningClosed): Markup {
  const frame = { language, title, heading: headingOf(title, about), botName };
  return document(
    { ...frame, script: isOver ? undefined : "wait.js" },
    html`<p role="status">${sentence}</p>
      ${lines.map((line) => html`<p class="line">${line}</p>`)}`,
  );
}

/** @param about what is signed. */
const headingOf = (title: string, about: string): Markup =>
  html`<h1><small id="heading">${title}</small> ${about}</h1>`;

/** Says in every language that a request is unknown, or can't be shown now. */
export function pageInEach(sentence: "unknown" | "trouble"): Markup {
  const inEach = [...languages].map(([language, { signing }]) => html`<p lang="${language}">${signing[sentence]}</p>`);
  const isUnknown = sentence === "unknown";
  const titles = [...languages.values()].map(({ signing }) => (isUnknown ? signing.titleOver : signing.titleTrouble));
  const script = isUnknown ? undefined : "wait.js";
  return document({ language: defaultLanguage, title: titles.join(" · "), script }, html`${inEach}`);
}

interface PageFrame {
  readonly language: string;
  readonly title: string;
  readonly heading?: Markup;
  readonly botName?: string;
  readonly chain?: string;
  readonly script?: Script | undefined;
}

function document({ language, title, heading, botName, chain, script }: PageFrame, content: Markup): Markup {
  const { signing: words } = messagesIn(language);
  const name = botName === undefined ? "Swapdesk" : `@${botName}`;
  return html`<!doctype html>
    <html lang="${languageOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} &ndash; ${name}</title>
        <link rel="icon" href="icon.svg" />
        <link rel="stylesheet" href="page.css" />
        <script src="able.js"></script>
      </head>
      <body>
        <header>
          <img src="icon.svg" alt="" width="28" height="28" />
          <b>${name}</b>
          ${chain === undefined ? "" : html`<span class="chain">${chain}</span>`}
        </header>
        <main>
          ${heading ?? html`<h1>${title}</h1>`} ${content}
          ${botName === undefined ? "" : html`<p class="back"><a href="https://t.me/${botName}">‹ ${words.back}</a></p>`}
        </main>
        ${script === undefined ? "" : html`<script type="module" src="${script}"></script>`}
      </body>
    </html>`;
}

interface SigningViewParts {
  readonly base: BotBase;
  readonly botName: () => string;
  readonly outbox: Outbox;
}

export function signingView({ base, botName, outbox }: SigningViewParts): SigningView {
  return {
    describe: async (intent) => {
      const { person, view } = await ownerOf(base, intent.owner);
      const fee = intent.transaction?.networkFee;
      return {
        language: person.language,
        botName: botName(),
        phrase: view.phrase && card([view.phrase]).text,
        ...signingLines(intent, view),
        networkFee: fee === undefined ? "" : paidWithToken(fee, view.words),
        ending: endingOf(intent, view),
      };
    },
    presentWorse: async (before, fresh) => {
      const { view } = await ownerOf(base, fresh.owner);
      const notice = movedNotice(before.terms, fresh.terms, view);
      await outbox.flush(cardKey(fresh), { notice });
    },
  };
}
