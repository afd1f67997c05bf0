import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { InputFile } from "grammy";

/**
 * The parameters of a call as a body of multipart/form-data (RFC 7578), where one of them is a file; undefined where none is. A
 * file is read while it leaves, piece by piece.
 */
export function multipartOf(parameters: object) {
  if (!Object.values(parameters).some((value) => value instanceof InputFile)) return undefined;
  const fields = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const boundary = `swapdesk-${randomBytes(16).toString("hex")}`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(pieces(fields, boundary)),
  };
}

async function* pieces(fields: readonly (readonly [string, unknown])[], boundary: string): AsyncGenerator<Uint8Array> {
  for (const [name, value] of fields) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (value instanceof InputFile) {
      yield Buffer.from(
        `${head}; filename="${value.filename ?? name}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
      );
      const data = await value.toRaw();
      if (data instanceof Uint8Array) yield data;
      else yield* data;
    } else {
      yield Buffer.from(`${head}\r\n\r\n${typeof value === "string" ? value : JSON.stringify(value)}`);
    }
    yield Buffer.from("\r\n");
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}
