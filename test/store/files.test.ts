import { fsync } from "node:fs";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isSystemError, nodeFiles, unlessMissing } from "../../src/store/files.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("the machine's files", () => {
  it("are never replaced by a new file, nor by a second name", async () => {
    const folder = await temporaryFolder();
    const [first, second] = [join(folder, "first"), join(folder, "second")];
    await nodeFiles.writeNew(first, "1");
    await expect(nodeFiles.writeNew(first, "2")).rejects.toMatchObject({ code: "EEXIST" });
    await nodeFiles.writeNew(second, "2");
    await expect(nodeFiles.link(first, second)).rejects.toMatchObject({ code: "EEXIST" });
    expect(Buffer.from(await nodeFiles.read(first)).toString()).toBe("1");
    expect(Buffer.from(await nodeFiles.read(second)).toString()).toBe("2");
  });

  it("and names in folders are synced to disk", async () => {
    const folder = await temporaryFolder();
    const sync = vi.fn(fsync);
    vi.doMock("node:fs", async (importOriginal) => ({ ...(await importOriginal<object>()), fsync: sync }));
    vi.resetModules();
    onTestFinished(() => {
      vi.doUnmock("node:fs");
      vi.resetModules();
    });
    const { nodeFiles } = await import("../../src/store/files.js");
    await nodeFiles.writeNew(join(folder, "file"), "text");
    expect(sync).toHaveBeenCalledTimes(1);
    await nodeFiles.syncFolder(folder);
    expect(sync).toHaveBeenCalledTimes(2);
    // Two folders are new, so two have a new name in them.
    await nodeFiles.makeFolder(join(folder, "a", "b"));
    expect(sync).toHaveBeenCalledTimes(4);
    await nodeFiles.makeFolder(join(folder, "a", "b"));
    expect(sync).toHaveBeenCalledTimes(4);
  });

  it("lie in folders that only their owner can enter, made with those above", async () => {
    const folder = join(await temporaryFolder(), "a", "b");
    await nodeFiles.makeFolder(folder);
    await nodeFiles.makeFolder(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await nodeFiles.list(join(folder, ".."))).toEqual(["b"]);
  });

  it("tell what is missing from what fails", async () => {
    const folder = await temporaryFolder();
    expect(await unlessMissing(nodeFiles.read(join(folder, "none")))).toBeUndefined();
    await mkdir(join(folder, "folder"));
    await expect(unlessMissing(nodeFiles.read(join(folder, "folder")))).rejects.toMatchObject({ code: "EISDIR" });
    await writeFile(join(folder, "file"), "");
    await expect(nodeFiles.makeFolder(join(folder, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(isSystemError(new Error("ENOENT"), "ENOENT")).toBe(false);
    expect(isSystemError("ENOENT", "ENOENT")).toBe(false);
  });
});
