/** The script of a page that isn't final: it reloads once the server has something else to say. */

const LOOK_MS = 3000;
const shown = document.querySelector('[role="status"]')?.textContent;

const look = async () => {
  const answer = await fetch(`${location.pathname}/request`)
    .then((response) => response.json())
    .catch(() => undefined);
  // The request is open again, or has ended.
  if (answer !== undefined && (answer.kind !== "closed" || answer.sentence !== shown)) location.reload();
};
setInterval(() => void look(), LOOK_MS);
