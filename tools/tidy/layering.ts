/** Layers: compares the imports of all files with the two tables of docs/architecture.md. */
import { type Import, importsOf } from "./imports.ts";
import { fileAt, isTest, isTypeScript, type Project, type TextFile } from "./project.ts";
import type { Rule } from "./rule.ts";

const law = "docs/architecture.md";

/** Allowed imports of one room (a folder of a side), in addition to itself. */
interface Room {
  /** Rooms of its side, or single files of one. */
  readonly imports: readonly string[];
  /** By package or Node module, `node:` for all of Node: the files of the room that may, none for any. */
  readonly packages: ReadonlyMap<string, readonly string[]>;
}

type Side = ReadonlyMap<string, Room>;
type Sides = ReadonlyMap<string, Side>;

const names = (cell: string): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);

function sidesIn(project: Project): Sides {
  const sides = new Map<string, Map<string, Room>>();
  let rooms = new Map<string, Room>();
  for (const line of fileAt(project, law)?.lines ?? []) {
    const [, first = "", , imports = "", packages = ""] = line.split("|");
    const [name = ""] = names(first);
    if (/^(?:simulator|conformance)\/$/.test(name)) {
      rooms = new Map();
      sides.set(name.slice(0, -1), rooms);
    } else if (name !== "" && packages !== "") {
      const owned = packages.split(",").map((one) => names(one));
      rooms.set(name, {
        imports: names(imports),
        packages: new Map(owned.map(([known = "", ...files]) => [known, files])),
      });
    }
  }
  return sides;
}

/** Rooms that hold only tests of a side and their tools: they may use all of their side. */
const workshops = new Set(["acceptance", "testing"]);

export const layering: Rule = {
  name: "layering",
  check: (project) => {
    const sides = sidesIn(project);
    return project.filter(isTypeScript).flatMap((file) =>
      importsOf(file).flatMap((one) => {
        const message = objection(sides, file, one);
        return message === undefined ? [] : [{ path: file.path, line: one.line, message }];
      }),
    );
  },
};

function objection(sides: Sides, file: TextFile, { target }: Import): string | undefined {
  const [side = "", ...rest] = file.path.split("/");
  if (target.kind === "file" && target.path === "tools/sampled.ts" && isTest(file)) return undefined;
  const rooms = sides.get(side);
  if (target.kind === "file") {
    const across = crossing(sides, side, target.path);
    if (across !== undefined) return across;
  }
  // The files on top of a side (compose.ts, index.ts …) put its rooms together, so they may see all of them.
  if (rooms === undefined || rest.length < 2) return undefined;
  const name = rest[0] ?? "";
  if (workshops.has(name)) return undefined;
  const room = rooms.get(name);
  if (room === undefined) return `${side}/${name} has no row in ${law}`;
  if (isTest(file)) return undefined;
  return target.kind === "file"
    ? roomObjection(side, name, room, target.path)
    : packageObjection(`${side}/${name}`, room, rest.slice(1).join("/"), target.name);
}

/** The two sides know nothing of each other, and everyone else sees their doors only. Tests are no exception. */
function crossing(sides: Sides, from: string, target: string): string | undefined {
  const to = target.split("/")[0] ?? "";
  if (/^(?:fixtures|scenarios)$/.test(to)) return `${to} is data: read it by its path`;
  if (to === from || !sides.has(to)) {
    return sides.has(from) && to !== from ? `${from} must not import ${to}` : undefined;
  }
  if (sides.has(from)) return `${from} must not import ${to}: each is written from the specification`;
  // A benchmark measures a part, so it may reach for the part.
  if (from === "bench") return undefined;
  const doors = ["index.ts", "vitest.ts", "commands.ts", "exit-codes.ts"].map((name) => `${to}/${name}`);
  return doors.includes(target) ? undefined : `${to} is seen through its doors alone: ${doors.join(", ")}`;
}

function roomObjection(side: string, name: string, room: Room, target: string): string | undefined {
  const [, to = "", ...rest] = target.split("/");
  if (isTest({ path: target } as TextFile)) return "source must not import what only tests use";
  if (to === name || room.imports.includes(to) || room.imports.includes([to, ...rest].join("/")))
    return undefined;
  if (rest.length === 0) return `${side}/${name} must not import ${target}, which is above it`;
  return `${side}/${name} must not import ${side}/${to}`;
}

function packageObjection(where: string, { packages }: Room, file: string, name: string): string | undefined {
  const owners = packages.get(name) ?? (name.startsWith("node:") ? packages.get("node:") : undefined);
  if (owners === undefined) return `${where} must not import ${name}`;
  if (owners.length === 0 || owners.includes(file)) return undefined;
  return `${where} imports ${name} in ${owners.join(" and ")} alone`;
}

/** Rooms and files of the tables that are not there: a misspelt one would allow nothing, or everything, silently. */
export const unknownRooms = (project: Project): string[] =>
  [...sidesIn(project)].flatMap(([side, rooms]) =>
    [...rooms]
      .flatMap(([name, { imports }]) => [name, ...imports])
      .map((name) => `${side}/${name}`)
      .filter((name) => !project.some(({ path }) => path === name || path.startsWith(`${name}/`))),
  );
