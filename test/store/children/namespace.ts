import { type Files, nodeFiles } from "../../../src/store/files.js";

/** The machine's files, as a process in another namespace of process numbers finds them. */
export function filesIn(namespace: string | undefined): Files {
  return namespace === undefined ? nodeFiles : { ...nodeFiles, readLink: async () => namespace };
}
