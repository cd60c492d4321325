/**
 * Controls of the worlds of a process: made, reset, forked and deleted. Every other control is also there below
 * `/worlds/{world}`; the bare form is the world `main`.
 */
import type { Result } from "../domain/result.ts";
import { type ClockMode, clockModes } from "../domain/world.ts";
import { type Refused, type Reply, refuse, refuseProblems, success } from "../http/route.ts";
import {
  byName,
  integer,
  maybe,
  name,
  oneOf,
  patterned,
  section,
  text,
  type ValueOf,
} from "../schema/fields.ts";
import { freedomSets } from "../world/freedoms.ts";
import { loadWorldValue, type Overrides } from "../world/load-world.ts";
import {
  type ControlledWorld,
  type ControlRoute,
  type Controls,
  controlRoute,
  type RefusedCall,
} from "./control-route.ts";
import { listWorlds, mostWorlds, nodeControls } from "./node-controls.ts";
import type { Verb } from "./verb-types.ts";
import { viewOf, worldAnswer, worldOf } from "./world-answer.ts";

const unknownWorld: RefusedCall = {
  code: "NOT_FOUND",
  when: "There is no such world.",
  params: { world: "mian" },
  message: 'There is no world mian: did you mean "main"?',
};

const newName = name("Name of the new world.", { examples: ["ci"] });

const NewWorld = section({
  name: newName,
  from: maybe(
    patterned(
      "^[a-z][a-z0-9-]{0,39}(@[0-9]{1,15})?$",
      "must be the name of a world, or NAME@ENTRY for the world as it was after an entry of its journal",
      "A world to fork, or `NAME@ENTRY` for what it was after an entry; else the demo world.",
    ),
  ),
  seed: maybe(integer(0, Number.MAX_SAFE_INTEGER, "Replaces the seed of a new world; a fork keeps its own.")),
  clock: maybe(oneOf(clockModes, "Replaces the clock mode of the world, or of what is forked.")),
  freedomSet: maybe(oneOf(freedomSets, "A named set of options of freedoms.")),
  hostile: maybe(integer(0, Number.MAX_SAFE_INTEGER, "Lets this seed choose an option of every freedom.")),
  freedoms: maybe(byName(text(40, "Id of an option."), "Options of freedoms by id.")),
  world: maybe(section({}, "A world file as JSON.", { additionalProperties: true })),
});

const createWorld = controlRoute({
  method: "POST",
  path: "/worlds",
  operationId: "createWorld",
  verbs: [
    {
      words: "world new",
      args: ["name"],
      flags: ["from", "seed", "clock", "freedomSet", "hostile"],
      does: "Make a world: the demo world, a world FILE, or a fork of WORLD or WORLD@ENTRY.",
    },
  ],
  summary: "Make a world, with keys of its own: the demo world, a world file, or a fork.",
  body: { shape: NewWorld, example: { name: "ci", seed: 7 } },
  answer: worldAnswer,
  refusals: [
    {
      code: "CONFLICT",
      when: "A world of this name is there, or there are too many.",
      body: { name: "main" },
      message: "There is a world main already: delete it, or choose another name",
    },
    { ...unknownWorld, params: {}, body: { name: "ci", from: "mian" } },
  ],
  run: async ({ worlds }, _params, body) => {
    const refusal = refusalOfName(worlds, body.name);
    if (refusal !== null) return refusal;
    const { from = null, name: _name, clock: _clock, ...ofNew } = body;
    const given = Object.entries(ofNew).flatMap(([member, value]) => (value === null ? [] : [member]));
    if (from !== null && given.length > 0)
      return refuseProblems("VALIDATION_FAILED", [
        { field: "from", issue: `goes without ${given.join(", ")}` },
      ]);
    return from === null
      ? load(worlds, body)
      : fork(worlds, { from, name: body.name, clock: body.clock ?? null });
  },
});

async function load(worlds: Controls["worlds"], body: ValueOf<typeof NewWorld>) {
  const { world, name: _name, from: _from, ...replaced } = body;
  // as: a null is as good as an absent value, and is left out.
  const overrides = Object.fromEntries(
    Object.entries(replaced).filter(([, value]) => value !== null),
  ) as Overrides;
  const built = await builtFrom(world ?? { extends: "demo" }, overrides);
  if (!built.ok) {
    const problems = built.error.map(({ message }) => ({ field: "world", issue: message }));
    return refuseProblems("VALIDATION_FAILED", problems);
  }
  // While the world was read, another call may have taken the name.
  return refusalOfName(worlds, body.name) ?? made(await worlds.create(body.name, built.value));
}

let latest: { readonly asked: string; readonly built: ReturnType<typeof loadWorldValue> } | undefined;

/** Worlds that are asked for alike share what is made of their file, which nothing changes: tests ask for many. */
function builtFrom(world: object, overrides: Overrides): ReturnType<typeof loadWorldValue> {
  const asked = JSON.stringify([world, overrides]);
  if (latest?.asked !== asked) latest = { asked, built: loadWorldValue(world, overrides) };
  return latest.built;
}

interface Fork {
  readonly from: string;
  readonly name: string;
  readonly clock: ClockMode | null;
}

async function fork(worlds: Controls["worlds"], { from, name: called, clock }: Fork) {
  const [source = "", entry] = from.split("@");
  const world = worldOf(worlds, source);
  if (!world.ok) return world;
  const { seq } = world.value.venue.state;
  const at = entry === undefined ? null : Number(entry);
  if (at !== null && at > seq)
    return refuse("NOT_FOUND", `The world ${source} has no entry ${at}: its last is ${seq}`);
  world.value.venue.requireReadable();
  const forked = await worlds.fork(source, called, at);
  if (forked.ok && clock !== null) forked.value.venue.setClockMode(clock);
  return made(forked);
}

const made = (world: Result<ControlledWorld, string>) =>
  world.ok ? success(viewOf(world.value), "Made") : refuse("CONFLICT", world.error);

function refusalOfName(worlds: Controls["worlds"], called: string): Refused | null {
  if (worlds.get(called) !== undefined)
    return refuse("CONFLICT", `There is a world ${called} already: delete it, or choose another name`);
  return worlds.all().length < mostWorlds
    ? null
    : refuse("CONFLICT", `There are ${mostWorlds} worlds, and no more are possible: delete some`);
}

type WorldReply = Reply<ValueOf<(typeof worldAnswer)["schema"]>>;

const onWorld = <const P extends string, const V extends readonly Verb[]>(
  route: Pick<ControlRoute, "method" | "operationId" | "summary" | "refusals"> & {
    readonly path: P;
    readonly verbs: V;
  },
  run: (worlds: Controls["worlds"], world: ControlledWorld) => WorldReply | Promise<WorldReply>,
) =>
  controlRoute({
    ...route,
    answer: worldAnswer,
    refusals: [unknownWorld, ...(route.refusals ?? [])],
    run: ({ worlds }, { world: called = "" }) => {
      const world = worldOf(worlds, called);
      return world.ok ? run(worlds, world.value) : world;
    },
  });

const forkWorld = controlRoute({
  method: "POST",
  path: "/worlds/{world}/fork",
  operationId: "forkWorld",
  verbs: [{ words: "world fork", args: ["name"] }],
  summary: "Make a world that goes on from where this one is, or was after an entry of its journal.",
  body: {
    shape: section({
      name: newName,
      entry: maybe(integer(0, Number.MAX_SAFE_INTEGER, "The entry after which to fork; else now.")),
    }),
    example: { name: "ci" },
  },
  answer: worldAnswer,
  refusals: [{ ...unknownWorld, body: { name: "ci" } }],
  run: ({ worlds }, { world = "" }, { name: called, entry = null }) =>
    refusalOfName(worlds, called) ??
    fork(worlds, { from: entry === null ? world : `${world}@${entry}`, name: called, clock: null }),
});

/** Mounted once, and not below a world. */
export const worldControls = [
  listWorlds,
  createWorld,
  onWorld(
    {
      method: "GET",
      path: "/worlds/{world}",
      operationId: "readWorld",
      verbs: [{ words: "world read" }],
      summary: "A world with its keys.",
    },
    (_worlds, world) => success(viewOf(world)),
  ),
  onWorld(
    {
      method: "DELETE",
      path: "/worlds/{world}",
      operationId: "deleteWorld",
      verbs: [{ words: "world delete" }],
      summary: "Delete a world with everything in it.",
      refusals: [
        {
          code: "CONFLICT",
          when: "`main` is the world of the start.",
          params: { world: "main" },
          message: "The world main stays as long as the sandbox: stop the sandbox, or reset the world",
        },
      ],
    },
    async (worlds, world) => {
      if (world === worlds.main)
        return refuse(
          "CONFLICT",
          `The world ${world.name} stays as long as the sandbox: stop the sandbox, or reset the world`,
        );
      await worlds.delete(world.name);
      return success(viewOf(world), "Deleted");
    },
  ),
  onWorld(
    {
      method: "POST",
      path: "/worlds/{world}/reset",
      operationId: "resetWorld",
      verbs: [{ words: "world reset" }],
      summary: "Begin a world in memory anew, with an empty journal and the keys of its world file.",
      refusals: [
        {
          code: "CONFLICT",
          when: "The world is in a file.",
          message: "The world main is in a file: stop the sandbox and reset it with `gatewright reset`",
        },
      ],
    },
    (worlds, world) =>
      worlds.isInMemory(world.name)
        ? success(viewOf(worlds.reset(world.name)), "Reset")
        : refuse(
            "CONFLICT",
            `The world ${world.name} is in a file: stop the sandbox and reset it with \`gatewright reset\``,
          ),
  ),
  forkWorld,
  ...nodeControls,
] as const;
