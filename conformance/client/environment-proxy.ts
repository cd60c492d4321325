import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { Socket } from "node:net";
import { UsageError } from "../model/position.ts";
import { isLoopback } from "../model/profile.ts";

/** A proxy of the environment, and the variable that names it. */
export interface EnvironmentProxy {
  readonly variable: string;
  readonly url: URL;
}

/**
 * The proxy for an address beyond this machine: HTTPS_PROXY or ALL_PROXY, in capitals or not, unless NO_PROXY excepts
 * the host. The kit speaks only TLS beyond this machine, and this machine is never reached through a proxy.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): EnvironmentProxy | undefined {
  if (isLoopback(url.hostname) || isExcepted(url, environment)) return undefined;
  const variable = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].find((name) => environment[name]);
  if (variable === undefined) return undefined;
  const text = environment[variable] ?? "";
  const whole = text.includes("://") ? text : `http://${text}`;
  const named = URL.canParse(whole) ? new URL(whole) : undefined;
  if (named === undefined || !/^https?:$/.test(named.protocol))
    throw new UsageError(
      `the environment variable ${variable} does not name an http or https proxy: write http://host:port, or except ${url.hostname} with NO_PROXY`,
    );
  return { variable, url: named };
}

/** NO_PROXY has names and the ends of names, with or without a port, between commas or blanks; `*` is every host. */
function isExcepted({ hostname, port }: URL, environment: NodeJS.ProcessEnv): boolean {
  const listed = (environment["no_proxy"] || environment["NO_PROXY"] || "").toLowerCase();
  return listed.split(/[\s,]+/).some((entry) => {
    const [, name = "", only] = /^\*?\.?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
    if (entry === "*") return true;
    if (name === "" || (only !== undefined && only !== (port || "443"))) return false;
    return hostname === name || hostname.endsWith(`.${name}`);
  });
}

/** A tunnel to `host:port`. Errors name the variable, and not the address, which may hold a password. */
export function tunnelThrough(
  { variable, url }: EnvironmentProxy,
  target: string,
  timeoutMs: number,
  done: (tunnel: Socket | Error) => void,
): void {
  const failed = (why: string): Error => new Error(`the proxy of ${variable} ${why}`);
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = {
    host: target,
    ...(user === ":" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` }),
  };
  const request = url.protocol === "https:" ? tlsRequest : plainRequest;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const asked = request({ host, port: url.port, method: "CONNECT", path: target, headers, agent: false });
  const late = setTimeout(() => asked.destroy(failed(`did not answer in ${timeoutMs} ms`)), timeoutMs);
  asked
    .once("close", () => clearTimeout(late))
    .on("connect", ({ statusCode = 0 }, socket) => {
      clearTimeout(late);
      // as: the request went over TCP.
      if (statusCode === 200) return done(socket as Socket);
      socket.destroy();
      done(failed(`answered ${statusCode} when asked for ${target}`));
    })
    .on("error", (error: NodeJS.ErrnoException) =>
      done(error.code === undefined ? error : failed(`cannot be reached: ${error.code}`)),
    )
    .end();
}
