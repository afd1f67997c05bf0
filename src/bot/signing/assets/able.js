/**
 * Takes away the sentence that the browser is too old. One that doesn't know the newest syntax of the page's other scripts
 * can't read this one either, and leaves it; `test/bot/signing/page-browsers.test.ts` holds which those are.
 */
(document.documentElement ?? document.body)?.classList.add("able");
