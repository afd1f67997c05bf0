declare module "subset-font" {
  /** @param keepFeatures names of OpenType features; all by default. */
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: { targetFormat: "truetype"; noHinting: boolean; keepFeatures: readonly string[] },
  ): Promise<Buffer>;
}
