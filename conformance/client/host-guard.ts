import { SafetyStop } from "../model/outcome.ts";
import { isLoopback, type Profile } from "../model/profile.ts";
import { assertLiteralAllowed } from "./address.ts";

/**
 * The hosts to which the kit may send anything (docs/live-safety.md). Enforced in the transport, so that no scenario
 * can bypass it. There is no override flag, because it would bring the accidents back.
 */
export function assertHostAllowed(profile: Profile): void {
  if ((profile.kind as string) === "production")
    throw new SafetyStop("the profile says production: the kit does not test production");
  assertUrlAllowed(profile.baseUrl, profile);
  const stream = profile.stream?.url;
  if (stream === undefined) return;
  if (profile.loopback && !isLoopback(stream.hostname))
    throw new SafetyStop(
      `the base address is this machine and the stream is ${stream.hostname}: the rules for this machine must not apply there`,
    );
  assertUrlAllowed(stream, profile);
}

function assertUrlAllowed({ hostname, protocol, pathname }: URL, profile: Profile): void {
  const telling = [hostname, ...pathname.split("/")].find((part) =>
    /(?:^|[._-])(?:prod|production|live)(?:[._-]|$)/i.test(part),
  );
  if (telling !== undefined)
    throw new SafetyStop(
      `the base address says "${telling}", which looks like production: the kit does not test production`,
    );
  assertLiteralAllowed(hostname);
  if (isLoopback(hostname)) return;
  if (!profile.allowHosts.some((host) => host.toLowerCase() === hostname)) {
    throw new SafetyStop(
      `the host ${hostname} is not on this machine and not in allowHosts: write a profile that names it`,
    );
  }
  if (protocol !== "https:" && protocol !== "wss:")
    throw new SafetyStop(
      `credentials are not sent to ${hostname} without TLS: use ${protocol === "ws:" ? "wss" : "https"}`,
    );
  if (profile.tls.insecure) throw new SafetyStop("tls.insecure is for this machine only");
}
