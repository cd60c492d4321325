/** Controls of the nodes of a store, and the list of worlds, which all of them show. */
import { refuse, success } from "../http/route.ts";
import { section, text as textField } from "../schema/fields.ts";
import { count, list, nullable, record, text } from "../wire/schema.ts";
import { type ControlledNodes, controlRoute } from "./control-route.ts";
import { exampleWorld, summaryOf, worldMembers } from "./world-answer.ts";

/** A typing error in a loop must not eat the machine. */
export const mostWorlds = 2000;

const nodeMember = nullable(
  text("The node that serves it; null where nodes share no store, or while it sleeps there."),
);

export const listWorlds = controlRoute({
  method: "GET",
  path: "/worlds",
  operationId: "listWorlds",
  verbs: [{ words: "world list" }],
  summary: `All worlds of this process, or of the store that nodes share, the oldest first; at most ${mostWorlds}.`,
  answer: {
    schema: list(record("A world.", { ...worldMembers, node: nodeMember }), "The worlds."),
    example: [{ ...exampleWorld, name: "main", node: null }],
  },
  run: async ({ worlds, nodes }) =>
    success(
      (await nodes?.worlds(mostWorlds)) ?? worlds.all().map((world) => ({ ...summaryOf(world), node: null })),
    ),
});

const withoutStore = "This sandbox has no store that nodes share: start it with --store";
const noStore = { code: "CONFLICT", when: "There is no store.", message: withoutStore } as const;

const followed = {
  world: text("Name of the world."),
  entry: count("The last entry that the node has; about a second old."),
  trouble: nullable(text("Why the node answers no reads of it; null while it does.")),
};

const members = {
  name: text("Name of the node."),
  address: nullable(text("Where it can be reached, as `host:port`; null until it has told it.")),
  worlds: list(text("Name of a world."), "The worlds that it serves. All others sleep in the store."),
  follows: list(
    record("A world.", followed),
    "The worlds of other nodes that it follows, to answer reads of them.",
  ),
};

const listNodes = controlRoute({
  method: "GET",
  path: "/nodes",
  operationId: "listNodes",
  verbs: [{ words: "node list" }],
  summary: "All nodes of the store that give signs of life, with their worlds; without a store, none.",
  answer: {
    schema: list(record("A node.", members), "The nodes."),
    example: [],
  },
  run: async ({ nodes }) => success((await nodes?.all()) ?? []),
});

const moved = {
  world: text("Name of the world."),
  node: text("Name of the node that serves it now."),
};

const moveWorld = controlRoute({
  method: "POST",
  path: "/worlds/{world}/move",
  operationId: "moveWorld",
  verbs: [{ words: "world move", args: ["node"] }],
  summary: "Hand a world over to another node. Requests of it wait meanwhile; its streams end.",
  body: {
    shape: section({ node: textField(100, "Name of the node.") }),
    example: { node: "b" },
  },
  answer: { schema: record("Where the world is.", moved), example: { world: "main", node: "b" } },
  refusals: [noStore],
  run: async ({ nodes }, { world = "" }, { node }) => {
    const done = await moveOf(nodes, world, node);
    return done.ok ? success({ world, node }, "Moved") : refuse("CONFLICT", done.error);
  },
});

const moveOf = (nodes: ControlledNodes | null, world: string, node: string) =>
  nodes?.move(world, node) ?? ({ ok: false, error: withoutStore } as const);

export const nodeControls = [listNodes, moveWorld] as const;
