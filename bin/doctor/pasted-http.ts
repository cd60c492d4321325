import { CommandFailure } from "../command-failure.ts";

/** A request as text shows it. */
export interface PastedHttp {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const unreadable = (why: string): CommandFailure =>
  new CommandFailure(`the pasted request cannot be examined: ${why}`);

/** `http://host:8080/path?query`, with the path as it was typed. */
export function splitUrl(
  url: string,
  headers: PastedHttp["headers"] = [],
): { readonly host: string; readonly target: string } {
  // A transcript has the path in its first line, and the host below it.
  if (url.startsWith("/"))
    return { host: headers.find(([name]) => name.toLowerCase() === "host")?.[1] ?? "", target: url };
  const found = /^(?:https?:\/\/)?([^/?#]+)([^#]*)/i.exec(url);
  if (found === null) throw unreadable(`${url} is no address with a host`);
  const [, host = "", rest = ""] = found;
  return { host, target: rest.startsWith("/") ? rest : `/${rest}` };
}
