/** The script of a page that does not have the last word yet: it is loaded anew once there is something else to say. */

const LOOK_MS = 3000;
const shown = document.querySelector('[role="status"]')?.textContent;

const look = async () => {
  const answer = await fetch(`${location.pathname}/request`)
    .then((response) => response.json())
    .catch(() => undefined);
  // Open again, or an end.
  if (answer !== undefined && (answer.kind !== "closed" || answer.sentence !== shown)) location.reload();
};
setInterval(() => void look(), LOOK_MS);
