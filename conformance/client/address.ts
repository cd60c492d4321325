import { lookup as resolveName } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { SafetyStop } from "../model/outcome.ts";
import { isLoopback } from "../model/profile.ts";

/**
 * A name is resolved once and every socket of the run goes to that address (kit.md 6.6, rule 1): a name server that
 * answers differently later cannot lead signed requests elsewhere. The address is checked before the first connection.
 */
export function pinnedLookup(hostname: string, resolve: Resolve = resolveName): LookupFunction {
  let pinned: Promise<Address> | undefined;
  const find = async (): Promise<Address> => {
    const found = await resolve(hostname.replace(/^\[|\]$/g, ""));
    assertAddressAllowed(hostname, found.address);
    return found;
  };
  return (_name, { all }, callback) => {
    pinned ??= find();
    void answerWith(pinned, (error, found) => {
      if (found === undefined) callback(error, "", 0);
      else if (all === true) callback(null, [found]);
      else callback(null, found.address, found.family);
    });
  };
}

type Resolve = (hostname: string) => Promise<Address>;

interface Address {
  readonly address: string;
  readonly family: number;
}

async function answerWith(
  pinned: Promise<Address>,
  done: (error: NodeJS.ErrnoException | null, found?: Address) => void,
): Promise<void> {
  const [outcome] = await Promise.allSettled([pinned]);
  if (outcome.status === "fulfilled") done(null, outcome.value);
  else done(outcome.reason as NodeJS.ErrnoException);
}

/** `localhost` that is not this machine, and addresses that no gateway has: the cloud's own, "any", multicast. */
function assertAddressAllowed(hostname: string, address: string): void {
  const mapped = address.replace(/^::ffff:/i, "");
  if (isLoopback(hostname) && !isLoopback(mapped))
    throw new SafetyStop(`${hostname} resolves to ${address}, which is not this machine`);
  if (/^(?:0\.|169\.254\.|2(?:2[4-9]|3\d)\.|255\.)/.test(mapped) || /^(?:::$|fe[89ab]|ff)/i.test(mapped))
    throw new SafetyStop(`${hostname} resolves to ${address}, which is no address of a gateway`);
}
