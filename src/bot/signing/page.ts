import { html, raw } from "hono/html";
import { renderSVG } from "uqr";
import { defaultLanguage, languageOf, languages, messagesIn } from "../../locales/messages.js";
import type { SigningClosed, SigningRequest } from "../../services/wallet-gateway/desk.js";

/** What a page is made of before the reader's browser runs anything. */
type Markup = ReturnType<typeof html>;
type Script = "page.js" | "wait.js";

/**
 * The page for an open request. Every sentence that its script may show stands in it already, hidden, so that all words
 * come from one place.
 * @param address of the page itself.
 */
export function requestPage(request: SigningRequest, address: string): Markup {
  const { signing: words } = messagesIn(request.language);
  const state = (name: string, ...content: readonly (string | Markup)[]) =>
    html`<div data-state="${name}" tabindex="-1" hidden>${content.map((each) => html`<p>${each}</p>`)}</div>`;
  const figure = (name: string, value: string | Markup) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

  return document(
    request.language,
    words.title,
    html`
      <p>${words.explain}</p>
      <section class="card">${request.lines.map((line) => html`<p>${line}</p>`)}</section>
      <dl>
        ${figure(words.networkFee, request.networkFee)}
        ${figure(words.account, html`<code>${request.address}</code>`)}
        ${figure(words.chain, request.chainId)}
        ${figure(words.hash, html`<code>${request.hash}</code>`)}
        <div id="time" hidden><dt>${words.timeLeft}</dt><dd><span id="time-left" role="timer"></span></dd></div>
      </dl>
      <noscript><p>${words.needsScript}</p></noscript>
      <div id="states" role="status">
        ${state("looking", words.looking)}
        ${state("no-wallet", words.noWallet, words.noWalletHelp)}
        ${state("connecting", words.connecting)}
        ${state("other-account", words.otherAccount, html`${words.shownAccount}: <code id="shown-account"></code>`)}
        ${state("wallet-failed", words.walletFailed)}
        ${state("ready", words.ready)}
        ${state("asking", words.asking)}
        ${state("not-signed", words.notSigned)}
        ${state("wrong-signature", words.wrongSignature)}
        ${state("checking", words.checking)}
        ${state("signed", words.signed)}
        ${state("declining", words.declining)}
        ${state("declined", words.declined)}
        <p id="trouble" hidden>${words.trouble}</p>
      </div>
      <div id="elsewhere" hidden>
        <a class="button primary" href="klever-wallet://dp/browser?link=${address}">${words.openApp}</a>
        <button id="copy" type="button" data-copied="${words.copied}">${words.copy}</button>
        <code id="address" hidden>${address}</code>
        <div class="qr" role="img" aria-label="${words.qr}">${raw(renderSVG(address, { border: 2 }))}</div>
      </div>
      <div id="actions">
        <button id="sign" class="primary" type="button" hidden>${words.sign}</button>
        <button id="again" type="button" hidden>${words.again}</button>
        <button id="decline" type="button" hidden>${words.decline}</button>
      </div>
    `,
    "page.js",
  );
}

/** The page for a request that is closed: its one sentence, and the next one until it is over. */
export function closedPage({ language, sentence, isOver }: SigningClosed): Markup {
  const { signing } = messagesIn(language);
  return document(language, signing.titleOver, html`<p role="status">${sentence}</p>`, isOver ? undefined : "wait.js");
}

/** The page for a link that means nothing. */
export function unknownPage(): Markup {
  return pageInEach("unknown", "titleOver");
}

/** The page while nothing can be looked up. */
export function troublePage(): Markup {
  return pageInEach("trouble", "titleTrouble", "wait.js");
}

/** Whose page it is is not known, so it speaks every language. */
function pageInEach(sentence: "unknown" | "trouble", title: "titleOver" | "titleTrouble", script?: Script): Markup {
  const sentences = [...languages].map(
    ([language, { signing }]) => html`<p lang="${language}">${signing[sentence]}</p>`,
  );
  return document(defaultLanguage, messagesIn(defaultLanguage).signing[title], html`${sentences}`, script);
}

function document(language: string, title: string, content: Markup, script?: Script): Markup {
  return html`<!doctype html>
    <html lang="${languageOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} &ndash; Swapdesk</title>
        <link rel="icon" href="icon.svg" />
        <link rel="stylesheet" href="page.css" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
        ${script === undefined ? "" : html`<script type="module" src="${script}"></script>`}
      </body>
    </html>`;
}
