import { html, raw } from "hono/html";
import { renderSVG } from "uqr";
import { defaultLanguage, languageOf, languages, messagesIn } from "../../locales/messages.js";
import type { SigningRequest } from "../../services/wallet-gateway/signing.js";

/** What a page is made of before the reader's browser runs anything. */
type Markup = ReturnType<typeof html>;

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
        <div id="time"><dt>${words.timeLeft}</dt><dd><span id="time-left" role="timer"></span></dd></div>
      </dl>
      <noscript><p>${words.needsScript}</p></noscript>
      <div id="states" role="status">
        ${state("looking", words.looking)}
        ${state("ready", words.ready)}
        ${state("other-account", words.otherAccount, html`${words.shownAccount}: <code id="shown-account"></code>`)}
        ${state("asking", words.asking)}
        ${state("checking", words.checking)}
        ${state("not-signed", words.notSigned)}
        ${state("wallet-failed", words.walletFailed)}
        ${state("wrong-signature", words.wrongSignature)}
        ${state("signed", words.signed)}
        ${state("declined", words.declined)}
        ${state("closed", html`<span id="closed"></span>`)}
        ${state("no-wallet", words.noWallet, words.noWalletHelp)}
        <p id="trouble" hidden>${words.trouble}</p>
      </div>
      <div id="elsewhere" hidden>
        <a class="button primary" href="klever-wallet://dp/browser?link=${address}">${words.openApp}</a>
        <button id="copy" type="button" data-copied="${words.copied}">${words.copy}</button>
        <div class="qr" role="img" aria-label="${words.qr}">${raw(renderSVG(address, { border: 2 }))}</div>
      </div>
      <div id="actions">
        <button id="sign" class="primary" type="button" hidden>${words.sign}</button>
        <button id="again" type="button" hidden>${words.again}</button>
        <button id="look-again" type="button" hidden>${words.lookAgain}</button>
        <button id="decline" type="button">${words.decline}</button>
      </div>
      <script type="module" src="page.js"></script>
    `,
  );
}

/** The page for a request that is over: its one sentence. */
export function closedPage(language: string, sentence: string): Markup {
  return document(language, messagesIn(language).signing.titleOver, html`<p>${sentence}</p>`);
}

/** The page for a link that means nothing; whose it was is not known, so it speaks every language. */
export function unknownPage(): Markup {
  const inEach = [...languages].map(([language, { signing }]) => html`<p lang="${language}">${signing.unknown}</p>`);
  return document(defaultLanguage, messagesIn(defaultLanguage).signing.titleOver, html`${inEach}`);
}

function document(language: string, title: string, content: Markup): Markup {
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
      </body>
    </html>`;
}
