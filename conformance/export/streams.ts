import { eventOf, messagesIn } from "../check/stream-event.ts";
import { marketEvents } from "../contract/stream-dialect.ts";
import { counted } from "../model/counted.ts";
import { isArray, type Json, JsonObject } from "../model/json.ts";
import type { StreamPlan } from "../model/stream.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { RecordedFrame } from "../recording/recording.ts";
import type { Names } from "./names.ts";
import { literally } from "./orders.ts";
import { headerIn, jsonOf, type Turn, textAt } from "./turn.ts";
import { writtenJson } from "./written-json.ts";

export const isHandshake = (turn: Turn): boolean => headerIn(turn, "upgrade")?.toLowerCase() === "websocket";

/** A step whose id has no number yet. */
export interface StreamDraft {
  readonly word: string;
  readonly body: ValueMap;
}

/** A connection while its frames are written. */
interface Connection {
  /** Members of each of its steps that name it; the first is `main`, which needs none. */
  readonly on: ValueMap;
  /** Messages of the client that the gateway answered with an error. */
  readonly refused: ReadonlySet<RecordedFrame>;
  isOver: boolean;
  /** The order of the last event that is expected. */
  lastOrder?: string;
}

/** A case may have so many connections. */
const mostConnections = 8;
const within = "5s";

/**
 * WebSockets of a recording as `ws` steps. The scenario sends what the client sent. Of what the client heard, it
 * expects what another session has, too: each status of an order that it places, refusals, the first message about a market of each kind,
 * and a close.
 */
export class Streams {
  readonly #connections = new Map<number, Connection>();
  readonly #seen = new Set<string>();
  readonly #frames: readonly RecordedFrame[];
  readonly #plan: StreamPlan;
  readonly #names: Names;
  readonly #unwritten = new Set<RecordedFrame>();
  readonly #capabilities = new Set<string>();

  constructor(frames: readonly RecordedFrame[], plan: StreamPlan | undefined, names: Names) {
    this.#frames = frames;
    this.#plan = plan ?? undescribed;
    this.#names = names;
  }

  /** `call`: who connects, and how the handshake is signed. */
  connect({ exchange, status }: Turn, call: ValueMap): StreamDraft | undefined {
    const count = this.#connections.size + 1;
    if (count > mostConnections) return undefined;
    this.#capabilities.add("ws");
    const on: ValueMap = count === 1 ? {} : { on: `stream${count}` };
    const refused = refusedIn(
      this.#frames.filter(({ stream }) => stream === exchange.id),
      this.#plan,
    );
    this.#connections.set(exchange.id, { on, refused, isOver: status !== 101 });
    return {
      word: "connect",
      body: { ws: { connect: call, ...on }, ...(status === undefined ? {} : { expect: { status } }) },
    };
  }

  frame(frame: RecordedFrame): StreamDraft[] {
    const connection = this.#connections.get(frame.stream);
    if (connection === undefined || connection.isOver) return [];
    if (frame.type === "close") return [this.#close(connection, frame)];
    if (frame.type === "ping" || frame.type === "pong") return [];
    return frame.from === "client" ? this.#sent(connection, frame) : this.#heard(connection, frame);
  }

  /** The needs of a case with these steps. */
  get capabilities(): readonly string[] {
    return [...this.#capabilities];
  }

  get remarks(): readonly string[] {
    const left = new Set(this.#frames.map(({ stream }) => stream)).size - this.#connections.size;
    return [
      ...(this.#unwritten.size === 0
        ? []
        : [`${counted(this.#unwritten.size, "message")} of streams left out: the next session has others`]),
      ...(left > 0
        ? [
            `${counted(left, "stream")} left out: a scenario has at most ${mostConnections}, each with its handshake`,
          ]
        : []),
    ];
  }

  #close(connection: Connection, { from, body }: RecordedFrame): StreamDraft {
    connection.isOver = true;
    const bytes = Buffer.from(body.base64 ?? body.text ?? "", body.base64 === undefined ? "utf8" : "base64");
    const code = bytes.length < 2 ? undefined : bytes.readUInt16BE();
    if (from === "client") {
      const may = code !== undefined && code >= 1000 && code <= 4999 && code !== 1005 && code !== 1006;
      return { word: "close", body: { ws: { close: may ? { code } : {}, ...connection.on } } };
    }
    return {
      word: "closed",
      body: {
        ws: { closed: { within }, ...connection.on },
        expect: { event: { is: "closed", ...(code === undefined ? {} : { code }) } },
      },
    };
  }

  #sent({ on, refused }: Connection, frame: RecordedFrame): StreamDraft[] {
    const { body } = frame;
    if (body.cut === true) return this.#leaveOut(frame);
    const json = jsonOf(body);
    const known = refused.has(frame) ? undefined : this.#subscription(json);
    if (known !== undefined)
      return [{ word: known.action, body: { spec: ["EVT-06"], ws: { [known.action]: known.asked, ...on } } }];
    const written = json === undefined ? undefined : this.#written(json);
    const send: ValueMap =
      written !== undefined
        ? { json: written }
        : body.text === undefined
          ? { base64: body.base64 ?? "" }
          : { text: this.#names.inBody(body.text) };
    return [{ word: "send", body: { ws: { send, ...on } } }];
  }

  #written(json: Json): Value | undefined {
    return writtenJson(json, (text) => this.#names.inText(text));
  }

  /** The message in the kit's words, if it is what the profile says. */
  #subscription(json: Json | undefined): { readonly action: string; readonly asked: ValueMap } | undefined {
    for (const action of ["subscribe", "unsubscribe"] as const) {
      const given = filledIn(this.#plan[action], json);
      const channel = given?.get("channel");
      if (given === undefined || typeof channel !== "string") continue;
      const [name] =
        Object.entries(this.#plan.channels).find(
          ([, known]) => known !== "absent" && known.name === channel,
        ) ?? [];
      const products = productsOf(given);
      const rest = [...given].filter(([key]) => !taken.includes(key));
      const more = Object.fromEntries(rest.map(([key, item]) => [key, this.#written(item)] as const));
      if (Object.values(more).includes(undefined)) continue;
      if (name !== undefined) this.#capabilities.add(`ws.${name}`);
      return {
        action,
        asked: {
          ...(name === undefined ? { name: channel } : { channel: name }),
          ...(products === undefined ? {} : { products }),
          // as: an undefined member was refused above.
          ...(rest.length === 0 ? {} : { with: more as ValueMap }),
        },
      };
    }
    return undefined;
  }

  #heard(connection: Connection, frame: RecordedFrame): StreamDraft[] {
    const json = jsonOf(frame.body);
    if (json === undefined) return this.#leaveOut(frame);
    return messagesIn(json, this.#plan).flatMap((message): StreamDraft[] => {
      const event = eventOf(message, this.#plan, json);
      const match = this.#expected(connection, frame, event);
      if (match === undefined) return [];
      const { from, ...fields } = match;
      const spec = [{ order: "EVT-07", error: "EVT-06" }[String(match["is"])] ?? "EVT-08"];
      const expect: ValueMap = { match: { event: fields }, within, ...(from === undefined ? {} : { from }) };
      return [{ word: "heard", body: { spec, ws: { expect, ...connection.on } } }];
    });
  }

  /** The parts of a message that must come again: the form of `event`, and where the search begins. */
  #expected(
    connection: Connection,
    frame: RecordedFrame,
    event: JsonObject,
  ): Record<string, Value> | undefined {
    const is = textAt(event, "is") ?? "unknown";
    if (is === "order") return this.#orderEvent(connection, frame, event);
    if (is === "error") {
      const code = textAt(event, "code");
      return { is, ...(code === undefined ? {} : { code: literally(code) }) };
    }
    if (quiet.includes(is)) return undefined;
    const product = textAt(event, "product");
    const about = `${frame.stream} ${is} ${product ?? ""}`;
    const isMarket = marketEvents.some((known) => known === is);
    if (!isMarket || this.#seen.has(about)) {
      this.#unwritten.add(frame);
      return undefined;
    }
    this.#seen.add(about);
    return { is, ...(product === undefined ? {} : { product: literally(product) }), from: "connect" };
  }

  #orderEvent(
    connection: Connection,
    frame: RecordedFrame,
    event: JsonObject,
  ): Record<string, Value> | undefined {
    const order = event.get("order");
    const [id, status] = [textAt(order, "clientOrderId"), textAt(order, "status")];
    if (id === undefined || status === undefined || !this.#names.isDefined(id)) {
      this.#unwritten.add(frame);
      return undefined;
    }
    const about = `${frame.stream} ${id} ${status}`;
    if (this.#seen.has(about)) return undefined;
    this.#seen.add(about);
    const follows = connection.lastOrder === id;
    connection.lastOrder = id;
    return {
      is: "order",
      order: { clientOrderId: this.#names.inText(id), status: literally(status) },
      // Messages about different orders come in any sequence; those about one order do not.
      ...(follows ? {} : { from: "connect" }),
    };
  }

  #leaveOut(frame: RecordedFrame): [] {
    this.#unwritten.add(frame);
    return [];
  }
}

const undescribed: StreamPlan = {
  connections: mostConnections,
  message: { sequenceScope: "connection" },
  channels: {},
  events: {},
};

/** Messages that say nothing which a scenario would expect: a subscription waits for its own confirmation. */
const quiet: readonly string[] = ["subscribed", "heartbeat", "pong"];

/** Names of a subscription that have members of their own, or that the kit gives itself. */
const taken: readonly string[] = ["channel", "products", "product", "requestId"];

function productsOf(given: ReadonlyMap<string, Json>): string[] | undefined {
  const one = given.get("product");
  if (typeof one === "string") return [one];
  const all = given.get("products");
  return isArray(all) ? all.filter((item) => typeof item === "string") : undefined;
}

/** The values that a message has at the `${names}` of a template; undefined if it is another message. */
function filledIn(
  template: ValueMap | undefined,
  json: Json | undefined,
): ReadonlyMap<string, Json> | undefined {
  if (template === undefined || !(json instanceof JsonObject)) return undefined;
  if ([...json.entries.keys()].some((key) => !Object.hasOwn(template, key))) return undefined;
  const given = new Map<string, Json>();
  for (const [key, wanted] of Object.entries(template)) {
    const found = json.get(key);
    const name = typeof wanted === "string" ? /^\$\{(\w+)\}$/.exec(wanted)?.[1] : undefined;
    if (name === undefined && found !== wanted) return undefined;
    if (name !== undefined && found !== undefined) given.set(name, found);
  }
  return given;
}

/** The messages of a client whose next answer is an error. */
function refusedIn(frames: readonly RecordedFrame[], plan: StreamPlan): ReadonlySet<RecordedFrame> {
  const refused = new Set<RecordedFrame>();
  const waiting: RecordedFrame[] = [];
  for (const frame of frames) {
    if (frame.from === "client") {
      if (frame.type === "text") waiting.push(frame);
      continue;
    }
    const json = frame.type === "text" ? jsonOf(frame.body) : undefined;
    const kinds =
      json === undefined ? [] : messagesIn(json, plan).map((one) => textAt(eventOf(one, plan, json), "is"));
    for (const kind of kinds) {
      if (kind !== "subscribed" && kind !== "error") continue;
      const asked = waiting.shift();
      if (kind === "error" && asked !== undefined) refused.add(asked);
    }
  }
  return refused;
}
