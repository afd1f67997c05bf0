import { describe, expect, it } from "vitest";
import { isKeyFile } from "../../../src/services/base/key-file.js";

const judged = (file_name: string, mime_type = "", file_size = 1_700) => isKeyFile({ file_name, mime_type, file_size });

describe("a file", () => {
  it.each([
    "walletKey.pem",
    "WALLETKEY.PEM",
    "walletKey (1).pem",
    "server.key",
    "klv1usdny.key",
    "private.p8",
    "backup.p12",
    "backup.pfx",
    "putty.ppk",
    "release.jks",
    "debug.keystore",
    "walletKey.pem.txt",
    "id_rsa",
    "id_ed25519",
    "wallet.dat",
    "wallet.json",
    "UTC--2026-11-27T10-11-12.345678900Z--0123456789abcdef0123456789abcdef01234567",
    "UTC--2026-11-27T10-11-12.345Z--01234567.json",
    "keystore.json",
    "my-keystore-backup.json",
    "keystore",
    "keypair.json",
    "private_key.txt",
    "Seed Phrase.txt",
    "mnemonic.txt",
    "chave privada.txt",
    "frase de recuperação.txt",
  ])("named %s holds a key", (name) => {
    expect(judged(name)).toBe(true);
  });

  it.each(["application/x-pem-file", "application/pkcs8", "application/x-pkcs12", "application/x-java-keystore"])(
    "of the type %s holds a key, whatever its name",
    (type) => {
      expect(judged("document", type)).toBe(true);
      expect(judged("", type)).toBe(true);
    },
  );

  it.each([
    ["photo.jpg", "image/jpeg"],
    ["receipt-2026-11.csv", "text/csv"],
    ["swapdesk-history.csv", "text/csv"],
    ["report.pdf", "application/pdf"],
    ["How to keep your seed phrase.pdf", "application/pdf"],
    ["private keys explained.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["keystore-tutorial.mp4", "video/mp4"],
    ["tokens.json", "application/json"],
    ["wallet-history.json", "application/json"],
    ["keyboard.txt", "text/plain"],
    ["monkey.txt", "text/plain"],
    ["key-results.xlsx", "application/vnd.ms-excel"],
    ["turkey.png", "image/png"],
    ["notes", "text/plain"],
    ["id_rsa.pub", "application/vnd.ms-publisher"],
    ["archive.zip", "application/zip"],
    ["", ""],
  ])("named %s is an ordinary one", (name, type) => {
    expect(judged(name, type, 2_000_000)).toBe(false);
    expect(judged(name, type)).toBe(false);
  });

  it("named as a key is a presentation if it is longer than any key", () => {
    expect(judged("Pitch deck.key", "application/vnd.apple.keynote", 65_536)).toBe(true);
    expect(judged("Pitch deck.key", "application/vnd.apple.keynote", 65_537)).toBe(false);
    // Without a size nothing speaks for a presentation: the type only repeats the ending.
    expect(judged("server.key", "application/vnd.apple.keynote", 0)).toBe(true);
  });
});
