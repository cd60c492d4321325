/** Bodies are JSON in UTF-8 and nothing else (F-content-type-header). */
import type { Refusal } from "./errors.ts";
import { printable } from "./printable.ts";

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const jsonType = new RegExp(
  `^application/json((?:[ \\t]*;[ \\t]*(?:${token}=(?:${token}|"[^"\\\\]*"))?)*)[ \\t]*$`,
  "i",
);
const charsetPattern = /charset="?([^";\s]*)/i;

export function checkMediaType(contentType: string | undefined): Refusal | null {
  if (contentType === undefined || contentType === "") {
    return refuse("The Content-Type header is missing. Send Content-Type: application/json.");
  }
  const parameters = jsonType.exec(contentType)?.[1];
  if (parameters === undefined) {
    return refuse(`The Content-Type is ${printable(contentType)}; this venue reads application/json only.`);
  }
  const charset = charsetPattern.exec(parameters)?.[1]?.toLowerCase() ?? "utf-8";
  if (charset !== "utf-8" && charset !== "utf8")
    return refuse("The charset must be utf-8; JSON has no other.");
  return null;
}

const refuse = (message: string): Refusal => ({ code: "UNSUPPORTED_MEDIA_TYPE", message });
