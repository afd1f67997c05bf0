// Preloaded into a program: a message sets its time of day ahead or back by that many milliseconds, as an operator or a
// time server does. The monotonic clock and timers are unaffected, as in reality.
const now = Date.now;
let ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
Date.now = () => now() + ahead;
process.on("message", (step) => {
  ahead += step;
});
process.channel?.unref();
