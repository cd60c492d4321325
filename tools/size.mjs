/**
 * Lines of TypeScript per room, against the marks of `size.json`.
 *
 *   npm run size               prints them
 *   npm run size -- --lower    lowers each mark to what its room has now
 *
 * A room is a folder of the first level of a side, and the files beside those folders. Comments and blank lines count; tests,
 * their rigs, planted bugs, legal variations, the page app, benches and tools stand apart. Each side also has a mark
 * for its sum, so that a new room is no way around the others.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { at, root } from "./freshness.mjs";

const marksFile = at("tools", "size.json");
const sides = ["simulator", "conformance", "bin"];
const others = ["bench", "docs", "fixtures", "tools"];

const isSource = (file) => /\.(?:tsx?|mjs)$/.test(file);
const isTest = (file) => /\.test\.tsx?$|(?:^|\/)(?:testing|acceptance)\//.test(file);
const apartRooms = new Set(["simulator/console", "simulator/defects", "simulator/variations"]);
/** The bugs of the foreign gateway, each with the requests that show it. */
const isPlanted = (file) => file.includes("/foreign-gateway/planted/");

function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return [];
    const name = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

const linesOf = (file) => readFileSync(path.join(root, file), "utf8").split("\n").length - 1;

const roomOf = (file) => {
  const [side, room, ...rest] = file.split("/");
  return rest.length === 0 ? side : `${side}/${room}`;
};

/** Lines by room: `rooms` have marks, `apart` are printed only. */
export function measure() {
  const rooms = {};
  const apart = {};
  const add = (to, name, file) => {
    to[name] = (to[name] ?? 0) + linesOf(file);
  };
  for (const file of sides.flatMap(filesBelow).filter(isSource)) {
    const room = roomOf(file);
    if (isPlanted(file)) add(apart, "conformance, planted bugs and their trials", file);
    else if (isTest(file)) add(apart, `${file.split("/")[0]}, tests and their rigs`, file);
    else if (apartRooms.has(room)) add(apart, room, file);
    else {
      add(rooms, room, file);
      add(rooms, `${file.split("/")[0]}/*`, file);
    }
  }
  for (const file of others.flatMap(filesBelow).filter(isSource)) add(apart, file.split("/")[0], file);
  return { rooms, apart };
}

/** @returns {{ marks: Record<string, number>, raised: { room: string, by: number, why: string }[] }} */
export const readMarks = () => JSON.parse(readFileSync(marksFile, "utf8"));

/** A sentence for each room that is beyond its mark, or has none. */
export function beyondMarks(rooms, marks) {
  return Object.entries(rooms)
    .filter(([room, lines]) => !(lines <= marks[room]))
    .map(
      ([room, lines]) =>
        `${room} has ${lines} lines, and its mark in tools/size.json is ${marks[room] ?? "missing"}: take lines away, or raise the mark and say under "raised" why`,
    );
}

const sorted = (record) =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function lower() {
  const { marks, raised } = readMarks();
  const { rooms } = measure();
  const lowered = Object.entries(rooms).map(([room, lines]) => [room, Math.min(lines, marks[room] ?? lines)]);
  writeFileSync(
    marksFile,
    `${JSON.stringify({ marks: sorted(Object.fromEntries(lowered)), raised }, null, 2)}\n`,
  );
}

function print() {
  const { rooms, apart } = measure();
  const { marks } = readMarks();
  const row = (name, lines, mark = "") =>
    console.log(`${name.padEnd(44)}${String(lines).padStart(8)}${String(mark).padStart(8)}`);
  row("room", "lines", "mark");
  for (const [room, lines] of Object.entries(sorted(rooms))) row(room, lines, marks[room] ?? "none");
  console.log();
  row("apart, without marks", "lines");
  for (const [name, lines] of Object.entries(sorted(apart))) row(name, lines);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv.includes("--lower")) lower();
  print();
}
