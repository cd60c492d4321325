import { type Import, importsOf } from "./imports.ts";
import { isTest, isTypeScript, type TextFile } from "./project.ts";
import { type Problem, perFile } from "./rule.ts";

/** What the source of one room (a folder of a side) may import besides itself. Tests may use all of their side. */
type Room = Readonly<{
  rooms: readonly string[];
  /** Single files of other rooms: the ports that a room above declares and this one fills. */
  files?: readonly string[];
  /** Packages and Node modules; `node:` stands for all of Node. */
  packages: readonly string[];
  /** Packages that these files of the room alone may import. */
  only?: Readonly<Record<string, readonly string[]>>;
}>;

type Side = Readonly<Record<string, Room>>;

const simulator: Side = {
  domain: { rooms: [], packages: [], only: { "decimal.js": ["decimal.ts"] } },
  engine: { rooms: ["domain"], packages: [], only: { "node:crypto": ["state-hash.ts", "snapshot.ts"] } },
  auth: { rooms: ["domain"], packages: ["node:crypto"] },
  // Views of the engine's state as the interface spells it.
  wire: { rooms: ["domain", "engine"], packages: [], only: { "node:crypto": ["cursor.ts"] } },
  store: {
    rooms: ["domain"],
    files: ["sequencer/ports.ts", "sequencer/store-failure.ts"],
    packages: ["better-sqlite3", "node:"],
  },
  world: { rooms: ["domain"], packages: ["yaml", "node:"] },
  // Declares the ports that it needs; compose.ts fits the store to them.
  sequencer: { rooms: ["domain", "engine"], packages: ["node:"] },
  http: {
    rooms: ["domain", "engine", "auth", "wire", "sequencer", "world"],
    packages: ["fastify", "@scalar/fastify-api-reference", "node:"],
  },
  stream: {
    rooms: ["domain", "engine", "auth", "wire", "sequencer", "world"],
    // The one reader of JSON from outside.
    files: ["http/parse-json.ts", "http/printable.ts"],
    packages: ["ws", "node:"],
  },
  // Decorates the other rooms; nothing but the front door loads it.
  defects: {
    files: ["seams.ts"],
    rooms: ["domain", "engine", "auth", "wire", "sequencer", "world", "http", "stream"],
    packages: ["fastify", "node:"],
  },
  // Stands on the same listener as the trading routes and answers in their shapes.
  control: {
    rooms: ["domain", "engine", "auth", "wire", "sequencer", "world", "http", "stream"],
    packages: ["fastify", "node:"],
  },
};

const conformance: Side = {
  model: { rooms: [], packages: [] },
  contract: { rooms: ["model"], packages: [] },
  spec: { rooms: ["model"], packages: ["node:"] },
  schema: { rooms: ["model", "contract"], packages: ["ajv", "node:"] },
  parse: { rooms: ["model", "spec", "schema", "contract"], packages: ["yaml", "ajv", "node:"] },
  signing: { rooms: ["model"], packages: ["node:crypto"] },
  check: {
    rooms: ["model", "contract", "spec"],
    packages: [],
    only: { "decimal.js": ["decimal.ts"], re2js: ["text-pattern.ts"] },
  },
  lint: { rooms: ["model", "contract", "spec", "schema", "parse", "check"], packages: ["node:"] },
  client: { rooms: ["model", "contract", "parse", "signing", "check"], packages: ["undici", "ws", "node:"] },
  runner: {
    rooms: ["model", "contract", "spec", "parse", "signing", "check", "client"],
    packages: ["node:"],
  },
  properties: {
    rooms: ["model", "contract", "spec", "parse", "signing", "check", "client", "runner"],
    packages: ["fast-check", "decimal.js", "node:"],
  },
  expectations: { rooms: ["model", "schema", "parse", "runner"], packages: ["node:"] },
  certificate: {
    rooms: ["model", "schema", "parse", "check", "runner", "expectations", "report"],
    packages: ["node:"],
  },
  probe: {
    rooms: ["model", "contract", "schema", "parse", "signing", "check", "client", "runner"],
    packages: ["yaml", "node:"],
  },
  report: {
    rooms: ["model", "contract", "spec", "schema", "parse", "signing", "check", "client", "runner"],
    packages: ["ajv", "diff", "xmlbuilder", "node:"],
  },
  proxy: { rooms: ["model", "signing", "client"], packages: ["undici", "ws", "node:"] },
};

const sides: Readonly<Record<string, Side>> = { simulator, conformance };

/** Rooms of a side that hold nothing but checks of it and their tools: they may use all of their side. */
const workshops = new Set(["acceptance", "testing"]);

export const layering = perFile("layering", isTypeScript, (file) =>
  importsOf(file).flatMap((one) => {
    const message = objection(file, one);
    return message === undefined ? [] : [{ path: file.path, line: one.line, message } satisfies Problem];
  }),
);

function objection(file: TextFile, { target }: Import): string | undefined {
  const [side = "", ...rest] = file.path.split("/");
  const rooms = sides[side];
  if (target.kind === "file") {
    const across = crossing(side, target.path);
    if (across !== undefined) return across;
  }
  // The files on top of a side (compose.ts, index.ts …) put its rooms together, so they may see all of them.
  if (rooms === undefined || rest.length < 2) return undefined;
  const name = rest[0] ?? "";
  if (workshops.has(name)) return undefined;
  const room = rooms[name];
  if (room === undefined) return `${side}/${name} has no row in the table of bin/tidy/layering.ts`;
  if (isTest(file)) return undefined;
  return target.kind === "file"
    ? roomObjection(side, name, room, target.path)
    : packageObjection(`${side}/${name}`, room, rest.slice(1).join("/"), target.name);
}

/** The two sides know nothing of each other, and everyone else sees their front doors only. Tests are no exception. */
function crossing(from: string, target: string): string | undefined {
  const to = target.split("/")[0] ?? "";
  if (/^(?:fixtures|scenarios)$/.test(to)) return `${to} is data: read it by its path`;
  if (to === from || sides[to] === undefined) {
    return sides[from] !== undefined && to !== from ? `${from} must not import ${to}` : undefined;
  }
  if (sides[from] !== undefined)
    return `${from} must not import ${to}: each is written from the specification`;
  // A benchmark measures a part, so it may reach for the part.
  if (from === "bench") return undefined;
  return target === `${to}/index.ts` ? undefined : `${to} is seen through ${to}/index.ts alone`;
}

function roomObjection(side: string, name: string, room: Room, target: string): string | undefined {
  const [, to = "", ...rest] = target.split("/");
  if (isTest({ path: target } as TextFile)) return "source must not import what only tests use";
  if (room.files?.includes([to, ...rest].join("/"))) return undefined;
  if (rest.length === 0) return `${side}/${name} must not import ${target}, which stands above it`;
  if (to === name || room.rooms.includes(to)) return undefined;
  return `${side}/${name} must not import ${side}/${to}`;
}

function packageObjection(where: string, room: Room, file: string, name: string): string | undefined {
  if (room.packages.includes(name) || (name.startsWith("node:") && room.packages.includes("node:")))
    return undefined;
  const owners = room.only?.[name];
  if (owners === undefined) return `${where} must not import ${name}`;
  return owners.includes(file) ? undefined : `${where} imports ${name} in ${owners.join(" and ")} alone`;
}

/** Every room that a row names exists in the table: a misspelt row would allow nothing, silently. */
export function unknownRooms(): string[] {
  return Object.values(sides).flatMap((side) =>
    Object.values(side).flatMap((room) => room.rooms.filter((name) => side[name] === undefined)),
  );
}
