import { randomUUID } from "node:crypto";
import { badRequest, strictly } from "../api-error.js";
import type { Method, Server } from "../server.js";
import type { PhotoSize, StoredFile } from "../types.js";
import { type Captioned, readCaption, send, type Sending } from "./sending.js";

const largestFileBytes = 50 * 1024 * 1024;

export const sendDocument: Method<Sending & Captioned & { document: unknown }> = (server, request) => {
  const document = received(request.document, "There is no document in the request", largestFileBytes);
  server.files.put(document.file_id, request.document as File);
  return send(server, server.people.chatToWrite(request.chat_id), request, {
    document,
    ...readCaption(request, server.clock),
  });
};

const largestPhotoBytes = 10 * 1024 * 1024;

export const sendPhoto: Method<Sending & Captioned & { photo: unknown }> = async (server, request) => {
  const photo = await receivedPhoto(server, request.photo);
  return send(server, server.people.chatToWrite(request.chat_id), request, {
    photo,
    ...readCaption(request, server.clock),
  });
};

/** Receives a photo in its own size only; the real server adds smaller ones. */
export async function receivedPhoto(server: Server, file: unknown): Promise<[PhotoSize]> {
  const {
    file_id,
    file_unique_id,
    file_size = 0,
  } = received(file, "There is no photo in the request", largestPhotoBytes);
  // These come from Telegram's own servers, not the published one: texts as commonly reported.
  const head = Buffer.from(await (file as File).slice(0, 24).arrayBuffer());
  if (head.length < 24 || head.toString("latin1", 1, 4) !== "PNG") throw badRequest("IMAGE_PROCESS_FAILED");
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  if (width + height > 10_000 || Math.max(width, height) > 20 * Math.min(width, height)) {
    throw badRequest("PHOTO_INVALID_DIMENSIONS");
  }
  server.files.put(file_id, file as File);
  return [{ file_id, file_unique_id, file_size, width, height }];
}

function received(file: unknown, missing: string, largestBytes: number): StoredFile {
  if (file === undefined || file === "") throw badRequest(missing);
  if (!(file instanceof File))
    throw strictly("a file has to be uploaded; file ids and addresses are not followed here");
  // Text as commonly reported; the published server limits the size of a whole request.
  if (file.size > largestBytes) throw badRequest("file is too big");
  if (file.size === 0) throw badRequest("file must be non-empty");
  const id = randomUUID();
  return {
    file_id: `file-${id}`,
    file_unique_id: `unique-${id}`,
    file_name: file.name,
    mime_type: file.type || "application/octet-stream",
    file_size: file.size,
  };
}
