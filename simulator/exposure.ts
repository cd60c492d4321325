/** Checks of a start beyond loopback: the secrets of demo keys are public, and the address to listen on may not be one to call. */
import { networkInterfaces } from "node:os";
import { type ApiKey, defaultSecret } from "./domain/account.ts";
import { isLoopback } from "./http/listener-settings.ts";
import { type SimulatorOptions, StartFailure } from "./options.ts";
import type { BuiltWorld } from "./world/build-world.ts";

/**
 * The warning of a start that lets other machines use secrets which every copy of Gatewright shares; null when there is
 * nothing to warn of.
 *
 * @throws StartFailure when the caller has not said that this is meant.
 */
export function publicSecrets(options: SimulatorOptions, { world }: BuiltWorld): string | null {
  const { host = "127.0.0.1" } = options;
  if (isLoopback(host)) return null;
  const known = world.keys.filter((key) => isPublic(key) && !world.disabledKeys.has(key.keyId));
  if (known.length === 0) return null;
  const names = known.map(({ name }) => name).join(", ");
  if (options.publicDemoSecrets !== true)
    throw new StartFailure(
      `--host ${host} lets other machines in, and the secrets of these keys are public, because they follow from the key id: ` +
        `${names}. Give each key a secret of its own in a world file (docs/world.md, "Keys"), or add --public-demo-secrets when ` +
        "anyone who can reach this port may trade.",
    );
  const line = "!".repeat(72);
  return (
    `WARNING\n${line}\nANYONE WHO CAN REACH ${host} CAN READ AND TRADE HERE (--public-demo-secrets).\n` +
    `The secrets of these keys are public: ${names}.\n${line}`
  );
}

const isPublic = ({ keyId, secret }: ApiKey): boolean => secret === defaultSecret(keyId);

const anyAddress = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** The address under which this machine reaches a listener: one that listens on all addresses is called by loopback. */
export const reachable = (host: string, bound: string): string => anyAddress.get(bound) ?? host;

/** The addresses by which other machines reach a listener that listens on all of them. */
export function elsewhere(bound: string): readonly string[] {
  if (!anyAddress.has(bound)) return [];
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address, family, internal }) => (internal || family !== "IPv4" ? [] : [address])),
  );
}
