import { isLoopback } from "../model/profile.ts";
import { type SigningInput, signRequest } from "./sign-request.ts";

/** For curl, which would lead a request to this machine through a proxy of the environment. */
export const withoutProxy = (address: string): string =>
  isLoopback(new URL(address).hostname) ? "--noproxy '*' " : "";

/**
 * A signature with all intermediate values, for client developers who search for their mistake. `address` is the URL of
 * the request; it may have a query that is not signed.
 */
export function showSignature(input: SigningInput, address: string): string {
  const signed = signRequest(input);
  const lines = signed.canonical.split("\n");
  const body = Buffer.from(input.body);
  const curl = [
    `curl ${withoutProxy(address)}-X ${input.method} ${quoted(address)}`,
    ...signed.headers.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body.length === 0 ? [] : [`  --data-binary ${quoted(body.toString("utf8"))}`]),
  ].join(" \\\n");
  return [
    `body hash (SHA-256 of ${body.length} bytes)`,
    `  ${signed.bodyHash}`,
    "",
    `canonical string (${Buffer.byteLength(signed.canonical)} bytes, lines end with \\n, none after the last)`,
    ...lines.map((line, index) => `  ${line}${index === lines.length - 1 ? "" : "\\n"}`),
    "",
    "headers",
    ...signed.headers.map(([name, value]) => `  ${name}: ${value}`),
    "",
    "as a command",
    curl,
    "",
  ].join("\n");
}

/** Quotes for a POSIX shell: everything is literal inside single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
