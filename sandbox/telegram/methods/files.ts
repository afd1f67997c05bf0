import { randomUUID } from "node:crypto";
import { badRequest, strictly } from "../api-error.js";
import type { Method } from "../server.js";
import type { StoredFile } from "../types.js";
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
