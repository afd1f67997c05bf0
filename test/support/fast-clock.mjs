// Preloaded into a program: all its clocks and timers run CLOCK_TIMES as fast, from CLOCK_FROM on.
import { syncBuiltinESMExports } from "node:module";
import promises from "node:timers/promises";

const times = Number(process.env.CLOCK_TIMES);
const from = Number(process.env.CLOCK_FROM);
const { now } = Date;
Date.now = () => Math.floor(from + (now() - from) * times);
const passed = performance.now.bind(performance);
performance.now = () => passed() * times;
const { setTimeout, setInterval } = globalThis;
globalThis.setTimeout = (run, milliseconds = 0, ...args) => setTimeout(run, milliseconds / times, ...args);
globalThis.setInterval = (run, milliseconds = 0, ...args) => setInterval(run, milliseconds / times, ...args);
const sleep = promises.setTimeout;
promises.setTimeout = (milliseconds = 0, ...args) => sleep(milliseconds / times, ...args);
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (milliseconds) => timeout(Math.ceil(milliseconds / times));
syncBuiltinESMExports();
