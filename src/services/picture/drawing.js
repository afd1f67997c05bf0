// The thread of draw.ts, found beside it from sources as in a build: hence plain JavaScript.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { crc32, deflateSync } from "node:zlib";
import { Resvg } from "@resvg/resvg-js";

const font = { loadSystemFonts: false, fontFiles: workerData.fontFiles, defaultFontFamily: "Inter" };

/** PNG (https://www.w3.org/TR/png-3): four bytes of length, type and data, four bytes of checksum. */
function chunk(type, data = Buffer.of()) {
  const checked = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
}

let rows = Buffer.of();

/**
 * Half of the library's own encoding is compressing as hard as it can, for a third of a picture's time; zlib gets to the
 * same size in half of that. The pixels must be opaque: others would be premultiplied.
 */
function pngOf({ width, height, pixels }) {
  const row = 4 * width;
  // Before each row is its filter: none. All pictures have the same size, so the memory is used again.
  if (rows.length !== height * (row + 1)) rows = Buffer.alloc(height * (row + 1));
  for (let y = 0; y < height; y += 1) pixels.copy(rows, y * (row + 1) + 1, y * row, (y + 1) * row);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits each of red, green, blue and alpha.
  header.set([8, 6], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 3 })),
    chunk("IEND"),
  ]);
}

/**
 * Number of pictures between garbage collections. The library allocates some 5 MB per picture outside V8's heap, so V8
 * alone would let hundreds pile up. Collecting the young generation takes less than a millisecond.
 */
const COLLECTED_AFTER = 4;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
let drawn = 0;

parentPort.on("message", (svg) => {
  try {
    parentPort.postMessage({ png: pngOf(new Resvg(svg, { font, logLevel: "off" }).render()) });
  } catch (error) {
    parentPort.postMessage({ error });
  }
  drawn += 1;
  if (drawn % COLLECTED_AFTER === 0) setImmediate(() => collect({ type: "minor" }));
});
