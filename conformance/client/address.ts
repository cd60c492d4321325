import { lookup as resolveName } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { SafetyStop } from "../model/outcome.ts";
import { isLoopback } from "../model/profile.ts";

/**
 * Resolves the target's name once; every socket of the run goes to that address (docs/live-safety.md). A name server
 * that answers differently later cannot lead signed requests elsewhere. The address is checked before the first
 * connection.
 */
export function pinnedLookup(hostname: string, resolve: Resolve = resolveName): LookupFunction {
  assertLiteralAllowed(hostname);
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

/** A literal address is never resolved, so it is checked here; the URL parser has already normalised it. */
export function assertLiteralAllowed(hostname: string): void {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) assertAddressAllowed(hostname, bare);
}

/**
 * Addresses that no gateway has: the cloud's own services, "any", multicast, reserved; each also inside an IPv6
 * address.
 */
const noGateways = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
  ["100.100.100.200", 32],
] as const)
  noGateways.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  ["fd00:ec2::254", 128],
  ["::a9fe:0", 112],
  ["::ffff:0:a9fe:0", 112],
  ["64:ff9b::a9fe:0", 112],
  ["2002:a9fe::", 32],
] as const)
  noGateways.addSubnet(network, bits, "ipv6");

/** Refuses a `localhost` that is not this machine, and addresses that no gateway has. */
function assertAddressAllowed(hostname: string, address: string): void {
  const is = hostname.replace(/^\[|\]$/g, "") === address ? "is" : `resolves to ${address}, which is`;
  if (isLoopback(hostname) && !isLoopback(address.replace(/^::ffff:/i, "")))
    throw new SafetyStop(`${hostname} ${is} not this machine`);
  if (noGateways.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"))
    throw new SafetyStop(`${hostname} ${is} not an address of a gateway`);
}
