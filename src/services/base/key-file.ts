/** The ending may hide behind one that a mail program or an editor added. */
const ENDING = /\.(?:pem|key|p8|pk8|p12|pfx|ppk|jks|keystore)(?:\.(?:txt|bak|old))?$/i;
const KEY_FILE_NAME = /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|wallet\.(?:dat|json)|UTC--[0-9-]{10}T.*)$/i;
/** Names that wallets and people give; those of other files, such as a PDF, only speak of keys. */
const KEY_FILE_WORDS =
  /keystore|keypair|mnemonic|(?:private|secret|wallet)[ _-]?key|(?:seed|recovery)[ _-]?phrase|chave[ _-]privada|frase[ _-]de[ _-]recupera/i;
const TEXT = /(?:^[^.]*|\.(?:json|txt))$/i;
const KIND = /^application\/(?:x-)?(?:pem-file|pkcs8|pkcs12|java-keystore|java-jce-keystore)$/i;

/** A presentation of Apple's Keynote is a `.key` too, and never so small. */
const MAX_KEY_BYTES = 64 * 1024;
const MAY_BE_SLIDES = /\.key$/i;

type FileDetails = Readonly<{ file_name: string; mime_type: string; file_size: number }>;

/** Whether a file's name or type says that it holds a private key or a wallet. @param details as Telegram tells them. */
export function isKeyFile({ file_name, mime_type, file_size }: FileDetails): boolean {
  const name = file_name.trim();
  if (MAY_BE_SLIDES.test(name) && file_size > MAX_KEY_BYTES) return false;
  if (ENDING.test(name) || KEY_FILE_NAME.test(name) || KIND.test(mime_type)) return true;
  return TEXT.test(name) && KEY_FILE_WORDS.test(name);
}
