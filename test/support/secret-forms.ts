import { generateKeyPairSync } from "node:crypto";

/** Returns a new key, and usual forms of keys and seed phrases. */
export function secretForms() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
  const pair = Buffer.concat([seed, publicKey.export({ format: "der", type: "spki" }).subarray(-32)]);
  const key = seed.toString("hex");
  const grouped = (size: number, separator: string) => key.match(new RegExp(`.{1,${size}}`, "g"))!.join(separator);
  const pem = (label: string, text: string) =>
    `-----BEGIN ${label}-----\n${text.match(/.{1,64}/g)!.join("\n")}\n-----END ${label}-----`;
  const twelve = "legal winner thank year wave sausage worth useful legal winner thank yellow".split(" ");
  const twentyFour = [...twelve.slice(0, 11), ...twelve.slice(0, 11), "abandon", "zoo"];
  const mistyped = (words: readonly string[], at: number) =>
    words.with(at, words[at]!.replace(/(.)(.)$/, "$2$1")).join(" ");
  const forms = {
    "12 words": twelve.join(" "),
    "12 words, numbered": twelve.map((word, index) => `${index + 1}. ${word}`).join("\n"),
    "12 words with a typing mistake at the end": mistyped(twelve, 11),
    "12 words with a typing mistake in the middle": mistyped(twelve, 5),
    "11 of 12 words, the last left out": twelve.slice(0, 11).join(" "),
    "11 of 12 words, the first left out": twelve.slice(1).join(" "),
    "24 words": twentyFour.join(" "),
    "24 words with a typing mistake": mistyped(twentyFour, 11),
    "12 words in Portuguese":
      "abacate abaixo abalar abater abduzir abelha aberto abismo abotoar abranger abreviar abrigar",
    "12 words in Spanish, without accents":
      "abaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar",
    "12 words in French, with a typing mistake":
      "abaisser abandon abdiquer abeille abolir abroder aboutir aboyer abrasif abreuver abriter abroger",
    "12 words in Italian, numbered": Array.from(
      "abaco abbaglio abbinato abete abisso abolire abrasivo abrogato accadere accenno accusato acetone".split(" "),
      (word, at) => `${at + 1}) ${word}`,
    ).join("\n"),
    "11 of 12 words in Czech": "abdikace abeceda adresa agrese akce aktovka alej alkohol amputace ananas andulka",
    "20 words of SLIP-39":
      "duckling enlarge academic academic agency result length solution fridge kidney coal piece deal husband erode duke ajar critical decision keyboard",
    "12 words in simplified Chinese": `${"的 ".repeat(11)}在`,
    "12 words in Japanese": `${"あいこくしん\u3000".repeat(11)}あおぞら`,
    "12 words in Korean": `${"가격 ".repeat(11)}가능`,
    "32 bytes in hex": key,
    "64 bytes in hex": pair.toString("hex"),
    "hex with a prefix, in capitals": `0x${key.toUpperCase()}`,
    "hex in groups of two": grouped(2, ":"),
    "hex in groups of four": grouped(4, "-"),
    "hex in groups of eight": grouped(8, " "),
    "hex in groups of ten": grouped(10, ", "),
    "hex in two lines": grouped(32, "\n"),
    "32 bytes in base64": seed.toString("base64"),
    "32 bytes in base64 of URLs": seed.toString("base64url"),
    "64 bytes in base64": pair.toString("base64"),
    "a PEM file of the chain's wallet": pem(
      "PRIVATE KEY for klv1usdny",
      Buffer.from(pair.toString("hex")).toString("base64"),
    ),
    "a PEM file of PKCS #8": String(privateKey.export({ format: "pem", type: "pkcs8" })),
    "PKCS #8 without its lines": privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
  };
  return { forms, key };
}
