/** The handler of a venue within decorators. */
import type { Call, Serve, Served } from "../http/route.ts";
import type { SeamParts } from "../seams.ts";
import type { BrokenServe, Decorators } from "./defect.ts";

export function serveDecorated(inner: Serve, parts: SeamParts, decorators: readonly Decorators[]): Serve {
  const { serve, settle } = withNonces(inner, parts);
  const decorated = decorators.reduceRight<BrokenServe>((made, { route }) => route?.(made) ?? made, serve);
  return async (route, call) => {
    const { state } = parts.venue;
    const served: Served[] = [];
    const reply = await decorated(route, { ...call, state, served });
    await settle(call);
    const ignored = served.flatMap((one) => one.ignored);
    const {
      entries = null,
      place = { decided: state.seq, answered: state.seq },
      faults = [],
    } = served.at(-1) ?? {};
    return { reply, entries, place, faults, ignored };
  };
}

/** A nonce is committed with the first thing that its request does, or alone when it does nothing. */
function withNonces(inner: Serve, { venue }: SeamParts) {
  const committed = new WeakSet<object>();
  const taken = (nonce: Call["nonce"]): Call["nonce"] => {
    if (nonce === null || committed.has(nonce)) return null;
    committed.add(nonce);
    return nonce;
  };
  const serve: BrokenServe = async (route, call) => {
    const served = await inner(route, { ...call, nonce: taken(call.nonce) });
    call.served.push(served);
    return served.reply;
  };
  const settle = async (call: Call): Promise<void> => {
    const nonce = taken(call.nonce);
    if (nonce !== null) await venue.submit(null, nonce);
  };
  return { serve, settle };
}
