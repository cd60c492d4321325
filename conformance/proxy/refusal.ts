import { timingSafeEqual } from "node:crypto";
import { isLoopback } from "../model/profile.ts";

/** A request as it arrived, before it is interpreted. */
export interface Arrived {
  readonly target: string;
  readonly method: string;
  /** Names and values in turn, with all repetitions. */
  readonly rawHeaders: readonly string[];
}

export interface Refusal {
  readonly status: 403 | 404 | 415;
  readonly message: string;
}

/**
 * Why the proxy refuses to sign this request; checked before the body is read. A caller that reaches the proxy can
 * trade, and every page in a browser on this machine reaches it. So a request must name this machine, contain the token
 * of this start, come from no other page, declare its body as JSON (which a page may not do without a preflight), and
 * stay below the base path.
 */
export function refusalOf(arrived: Arrived, token: string, basePath: string): Refusal | undefined {
  const values = (name: string) => headerValues(arrived.rawHeaders, name);
  const hosts = values("host");
  const host = hosts[0] ?? "";
  if (hosts.length !== 1 || !isThisMachine(host))
    return { status: 403, message: "the proxy accepts only this machine as the Host" };
  if (values("origin").some((origin) => origin !== `http://${host}`))
    return { status: 403, message: "a page of another origin may not use the proxy" };
  if (values("sec-fetch-site").some((site) => site !== "same-origin" && site !== "none"))
    return { status: 403, message: "a page of another site may not use the proxy" };
  const path = pathBehind(arrived.target, token);
  if (path === undefined)
    return {
      status: 404,
      message: "the path begins with the token that was printed when the proxy started: take the whole URL",
    };
  return ofPath(path, basePath) ?? ofBody(arrived);
}

/** The part of a request target after the token; undefined for a wrong token. */
export function pathBehind(target: string, token: string): string | undefined {
  const [, said = "", rest = ""] = /^\/([^/?#]*)(.*)$/s.exec(target) ?? [];
  const [mine, theirs] = [Buffer.from(token), Buffer.from(said)];
  // The length of a token is no secret. For a wrong length the comparison still runs, over values of equal length.
  const same = timingSafeEqual(mine, theirs.length === mine.length ? theirs : Buffer.alloc(mine.length));
  return same ? rest : undefined;
}

function ofPath(target: string, basePath: string): Refusal | undefined {
  const path = target.replace(/\?.*$/s, "");
  if (path !== basePath && !path.startsWith(`${basePath}/`))
    return { status: 404, message: `only paths under ${basePath} are passed on` };
  if (!/^[\x21-\x7e]*$/.test(target))
    return { status: 404, message: "a request target is visible ASCII: write other characters as %XX" };
  // A target that decodes or resolves such a segment would find another path than the signed one.
  const odd = path.split("/").find((segment) => /^\.{1,2}(?:;.*)?$/.test(segment) || odds.test(segment));
  return odd === undefined
    ? undefined
    : {
        status: 404,
        message:
          "dot segments, backslashes, # and escaped dots, slashes, % and control characters are not passed on",
      };
}

const odds = /[\\#]|%(?:2[ef5]|5c|[01][0-9a-f]|7f)/i;

function ofBody({ rawHeaders, method }: Arrived): Refusal | undefined {
  const values = (name: string) => headerValues(rawHeaders, name);
  const hasBody =
    values("transfer-encoding").length > 0 || values("content-length").some((size) => Number(size) !== 0);
  const types = values("content-type");
  if (types.every(isJson) && (types.length > 0 || !hasBody)) return undefined;
  // A GET without a body may have any content type: tools often send a fixed one.
  if (!hasBody && /^(?:GET|HEAD)$/.test(method)) return undefined;
  return {
    status: 415,
    message: "a body is application/json: add the header Content-Type: application/json",
  };
}

const isJson = (type: string): boolean =>
  /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type.trim());

/** A Host without a name that a name server could lead here. */
export function isThisMachine(host: string): boolean {
  const [, name = ""] = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  return isLoopback(name.toLowerCase());
}

function headerValues(raw: readonly string[], wanted: string): string[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() === wanted ? [raw[index + 1] ?? ""] : [],
  );
}
