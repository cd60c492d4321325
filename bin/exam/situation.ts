/** The parts of a situation: a task, a world in which something goes wrong, and the actions of others meanwhile. */
import type { SimulatorWorld } from "../../simulator/index.ts";
import type { Sent } from "./evidence.ts";

export const taskNames = ["place", "cancel", "follow", "book"] as const;
export type TaskName = (typeof taskNames)[number];

/** An order as a task names it: the body of `POST /order` without `client_order_id`. */
export type OrderBody = Readonly<Record<string, string>>;

export type FaultRule = Parameters<SimulatorWorld["control"]["faults"]["set"]>[0]["rules"][number];

/**
 * The treatment of the first `POST /order` by an intermediary between client and gateway. With `wait`, its answer comes
 * when the others have done their part, and all later requests are passed on after that.
 */
export type RelayTrick = "repeat" | "hide" | "wait";

export interface Situation {
  /** Begins with its task. */
  readonly id: string;
  readonly title: string;
  readonly task: TaskName;
  /** Of a task that places orders. No two of them are alike, so that a request shows which one it is about. */
  readonly orders?: readonly OrderBody[];
  /** Of a task of the stream: how long the client follows it. */
  readonly seconds?: number;
  readonly faults?: readonly FaultRule[];
  /** Legal variations of the simulator. */
  readonly variants?: readonly string[];
  /** Of the venue, as a world file has them. */
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly relay?: RelayTrick;
  /** The number of bytes after which an intermediary cuts the first WebSocket. */
  readonly cutsStreamAfter?: number;
  /** The venue is restarted in it. */
  readonly restarts?: true;
  /** The venue takes none of the orders. */
  readonly refused?: true;
  /** The preparation before the client is started. */
  readonly before?: (others: Others) => Promise<void>;
  /** The actions of others while the client is at its task. */
  readonly meanwhile?: (others: Others) => Promise<void>;
}

/** An order as the venue shows it. */
export interface VenueOrder {
  readonly id: string;
  readonly clientOrderId: string;
  readonly status: string;
  readonly filledQuantity: string | null;
  readonly productId: string;
  readonly side: string;
  readonly type: string;
  readonly limitPrice: string | null;
  readonly baseQuantity: string | null;
}

/** The actions that a situation can take besides the client. Waiting ends with an error when the client has ended. */
export interface Others {
  /** The client's order number n, as soon as the venue has it. */
  readonly order: (n: number) => Promise<VenueOrder>;
  /** A part of an order is filled, or what is left of it. */
  readonly fill: (order: Pick<VenueOrder, "id">, quantity?: string) => Promise<void>;
  /** Another session of the same client places an order. */
  readonly place: (body: OrderBody) => Promise<VenueOrder>;
  /** Another session of the same client cancels an order. */
  readonly cancel: (order: Pick<VenueOrder, "id">) => Promise<void>;
  /** For a while after the first request of the client. */
  readonly pause: (ms: number) => Promise<void>;
  /** The exchange answers about an order. */
  readonly exchange: (does: "confirm" | "reject" | "cancel", order: Pick<VenueOrder, "id">) => Promise<void>;
  /** Until the requests of the client and their answers are so. */
  readonly seen: (what: (sent: readonly Sent[]) => boolean) => Promise<void>;
  /** Until the client has subscribed and has a whole snapshot, or should have. */
  readonly listening: () => Promise<void>;
  /** The streams of the client are cut, and it can open none until this has been done. */
  readonly away: (act: () => Promise<void>) => Promise<void>;
  /** From now on these faults meet the client, and no others. */
  readonly trouble: (...faults: readonly FaultRule[]) => Promise<void>;
  /** The venue shuts down with a notice, and is there again a moment later. */
  readonly restart: () => Promise<void>;
}
