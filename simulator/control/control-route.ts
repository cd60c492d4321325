/** A lever of the sandbox as data: what it takes and what it does. The reference in docs/control.md is tested against it. */
import type { Result } from "../domain/result.ts";
import type { Outcome } from "../engine/decision.ts";
import { type Reply, refuse, success } from "../http/route.ts";
import { refuseOrder } from "../http/routes/place-order.ts";
import type { FaultDrawer } from "../sequencer/faults.ts";
import type { Venue } from "../sequencer/venue.ts";
import type { Identities } from "../wire/identities.ts";
import type { Problem } from "../wire/order-request.ts";
import type { Fields, Values } from "./fields.ts";

export interface Controls {
  readonly venue: Venue;
  readonly ids: Identities;
  readonly drawer: FaultDrawer;
}

export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below /__gatewright, with `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly fields?: Fields;
  /** A body that this lever takes; shown in docs/control.md and in the refusal of any other. */
  readonly example?: Values;
  /** Reads a body that is no closed list of fields. */
  readonly read?: (body: unknown) => Result<Values, readonly Problem[]>;
  readonly run: (
    controls: Controls,
    params: Readonly<Record<string, string>>,
    values: Values,
  ) => Promise<Reply> | Reply;
}

/** What a control command came to. Commands that were refused say so; everything else is committed. */
export function controlReply(outcome: Outcome, data: unknown = {}): Reply {
  return outcome.kind === "rejected" ? refuseOrder(outcome.rejection) : success(data, "Done");
}

export const notFound = (what: string, name: string, known: readonly string[]): Reply =>
  refuse("NOT_FOUND", `There is no ${what} ${name.slice(0, 64)}; there is ${known.join(", ")}`);

/** Index of the client with this name, or the reply that says which there are. */
export function clientIndex(controls: Controls, name: string): number | Reply {
  const { clients } = controls.venue.world;
  const index = clients.findIndex((client) => client.name === name);
  return index >= 0
    ? index
    : notFound(
        "client",
        name,
        clients.map((client) => client.name),
      );
}
