import { isOurs, type Profile } from "../model/profile.ts";

/**
 * Bytes that break HTTP are for this machine only (kit.md 6.6, rule 6), whatever a scenario calls them: what leaves it
 * has to be exactly one HTTP/1.1 request, of moderate size, in one go, that every proxy on the way reads alike.
 */
export function rawProblem(
  bytes: Buffer,
  chunks: readonly { readonly pauseMs: number }[],
  profile: Profile,
): string | undefined {
  if (isOurs(profile)) return undefined;
  const danger = dangerIn(bytes) ?? (chunks.length > 0 ? "bytes that trickle" : undefined);
  return danger === undefined ? undefined : `${danger}: raw bytes of this kind are sent on this machine only`;
}

function dangerIn(bytes: Buffer): string | undefined {
  if (bytes.length > 65_536) return "an oversized request";
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return "a request without an end";
  const [line = "", ...headers] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const tidy = (text: string) => /^[\t\x20-\x7e]*$/.test(text);
  if (!/^[A-Z]+ \S+ HTTP\/1\.1$/.test(line)) return "a request line of its own kind";
  if (!headers.every((header) => tidy(header) && /^[\w-]+:/.test(header))) return "headers of their own kind";
  const named = (name: string) => headers.filter((header) => header.toLowerCase().startsWith(`${name}:`));
  if (named("transfer-encoding").length > 0 || named("content-length").length > 1)
    return "two ideas of the body's length";
  if (headers.length > 100 || named("host").length !== 1) return "headers of their own number";
  const stated = named("content-length")[0]?.split(":")[1]?.trim() ?? "0";
  return /^\d+$/.test(stated) && Number(stated) === bytes.length - headEnd - 4
    ? undefined
    : "a wrong Content-Length";
}
