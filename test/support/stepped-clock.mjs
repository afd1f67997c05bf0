// Preloaded into a program under test: a message sets its time of day ahead or back by so many milliseconds, as an operator or
// a time server does. Intervals by the monotonic clock and timers are not touched, as in reality.
const now = Date.now;
let ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
Date.now = () => now() + ahead;
process.on("message", (step) => {
  ahead += step;
});
process.channel?.unref();
