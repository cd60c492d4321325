/**
 * The rules for a request of HTTP/1.1 (RFC 9110, 9112), as far as a scenario can write it, and the stricter rules for a
 * gateway beyond this machine. The transport refuses by these rules and lint reports by them, so both agree.
 */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Only the transport sets these headers, because they control the destination and the length of a request. */
const framing: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that a scenario may set beyond this machine; a proxy on the way could interpret all others. */
const allowedElsewhere: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "x-api-key",
  "x-api-nonce",
  "x-api-signature",
  "x-api-timestamp",
]);

export function methodProblem(method: string): string | undefined {
  if (!token.test(method)) return `the method ${shown(method)} is not an HTTP token`;
  return /^connect$/i.test(method) ? "CONNECT asks for a tunnel, not for an answer" : undefined;
}

/** Only the origin form: an absolute target would name a host of its own. */
export function targetProblem(target: string): string | undefined {
  return /^\/[\x21-\x7e]*$/.test(target)
    ? undefined
    : `the request target ${shown(target)} is not a slash and visible ASCII characters: write others as %XX`;
}

export function headerProblem(name: string, value: string): string | undefined {
  if (!token.test(name)) return `the header name ${shown(name)} is not an HTTP token`;
  if (framing.has(name.toLowerCase()))
    return `the transport sets ${name} itself: bytes of another framing are written in a raw step, on this machine`;
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? undefined
    : `the value of the header ${name}, ${shown(value)}, has characters that no header may have`;
}

export function isAllowedElsewhere(name: string): boolean {
  const lower = name.toLowerCase();
  return allowedElsewhere.has(lower) || /^x-extra-[a-z0-9-]+$/.test(lower);
}

function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
