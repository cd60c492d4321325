import { type PastedHttp, splitUrl, unreadable } from "./pasted-http.ts";

/** Lines may end with LF alone, as they do after a paste. The body is what follows the first empty line, byte for byte. */
export function rawRequest(bytes: Buffer): PastedHttp {
  // One character is one byte.
  const text = bytes.toString("latin1").trimStart();
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index ?? text.length);
  const rest = end === null ? "" : text.slice(end.index + end[0].length);
  const [first = "", ...lines] = head.trimEnd().split(/\r?\n/);
  const [method = "", target = ""] = first.split(" ");
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(":");
    if (colon < 1) throw unreadable(`the line ${JSON.stringify(line)} is no header (Name: value)`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const length = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1];
  return {
    method,
    target: target.startsWith("/") ? target : splitUrl(target).target,
    headers,
    body: bodyOf(rest, length),
  };
}

/** A newline too many at the end comes from the paste. */
function bodyOf(rest: string, contentLength: string | undefined): Buffer {
  if (contentLength === undefined) return Buffer.from(rest, "latin1");
  const length = Number(contentLength);
  if (!(length <= rest.length))
    throw unreadable(
      `Content-Length is ${contentLength}, and the body has ${rest.length} bytes: copy the whole body, as it was sent`,
    );
  return Buffer.from(rest.slice(0, length), "latin1");
}
