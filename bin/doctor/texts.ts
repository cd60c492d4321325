/** The text that should have been signed and the one that was, for a person. */
import { count, orNull, record, type Shaped, text } from "../answer-shape.ts";

export const signedTexts = record({
  expectedCanonical: text,
  /** Null while it is unknown. */
  signedCanonical: orNull(text),
  /** Line of the expected text, from 1; null where the texts are equal. */
  differsInLine: orNull(count),
  differsAtByte: orNull(count),
});

/** Lines end with a visible \n, and `>` marks the first that differs. */
export function textsShown(texts: Shaped<typeof signedTexts>, margin: string): string {
  const { expectedCanonical, signedCanonical, differsInLine, differsAtByte } = texts;
  const marked = (title: string, signed: string): readonly string[] => [
    `${margin}${title}`,
    ...signed.split("\n").map((line, index, all) => {
      const mark = index + 1 === differsInLine ? ">" : " ";
      return `${margin}${mark} ${line.replaceAll("\r", "\\r")}${index + 1 < all.length ? "\\n" : ""}`;
    }),
  ];
  const signed = signedCanonical === null ? [] : marked("signed", signedCanonical);
  const first = `${margin}The first difference is in line ${differsInLine}, at byte ${differsAtByte}.`;
  const same = `${margin}The texts are equal: the key or the digest is wrong.`;
  const last = signedCanonical === null ? [] : [differsInLine === null ? same : first];
  return [...marked("to be signed", expectedCanonical), ...signed, ...last].join("\n");
}
