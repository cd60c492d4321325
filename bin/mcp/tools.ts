/** What an assistant can do with a sandbox: the verbs of `ctl`, orders of a key, and the kit against it. */
import { spawn } from "node:child_process";
import process from "node:process";
import { type ControlVerb, controlVerbs, signedRequests } from "../../simulator/index.ts";
import { type Access, answerOf, worldPath } from "../control-access.ts";

/** A sandbox that runs on this machine. */
export interface Sandbox {
  readonly access: Access;
  readonly readyFile: string;
  readonly baseUrl: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** It changes nothing. */
  readonly reads: boolean;
  readonly run: (given: Arguments) => Promise<unknown>;
}

const text = (description: string) => ({ type: "string", description });
const key = text("Name of the key that signs; `trader` when absent.");

export const toolsOf = (sandbox: Sandbox): Tool[] => [
  ...controlVerbs().map((verb) => toolOfVerb(sandbox, verb)),
  placeTool(sandbox),
  cancelTool(sandbox),
  conformTool(sandbox),
];

const textsOf = (given: Arguments): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));

function toolOfVerb({ access }: Sandbox, verb: ControlVerb): Tool {
  const values = [...verb.args, ...verb.flags];
  const described = values.map(({ name, description, isDuration }): [string, object] => [
    name,
    text(isDuration ? `${description} With its unit: 90s, 1h30m.` : description),
  ]);
  return {
    name: verb.words.replaceAll(/[ -]/g, "_"),
    description: verb.summary,
    properties: {
      ...Object.fromEntries(described),
      ...(verb.file
        ? { body: { type: "object", description: "The body; docs/control-reference.md has its members." } }
        : {}),
      ...(verb.ofWorlds ? {} : { world: text("Name of the world; `main` when absent.") }),
    },
    required: [
      ...verb.args.map(({ name }) => name),
      ...verb.flags.filter(({ required }) => required).map(({ name }) => name),
      ...(verb.file ? ["body"] : []),
    ],
    reads: verb.method === "GET",
    run: async ({ world, body: file, ...given }) => {
      const texts = textsOf(given);
      const mistake = verb.mistakeIn(texts);
      if (mistake !== undefined) throw new Error(mistake);
      const { path, body } = verb.call(texts);
      const below = verb.ofWorlds ? "" : worldPath(world === undefined ? undefined : String(world));
      return answerOf(access, { method: verb.method, path: below + path, body: verb.file ? file : body });
    },
  };
}

/** Sends a signed request, and gives the whole answer: a refusal is an answer, too. */
async function send(
  { access, baseUrl }: Sandbox,
  method: string,
  path: string,
  { key: name, body }: Arguments,
) {
  const keys = (await answerOf(access, { path: "/keys" })) as ReturnType<
    Parameters<typeof signedRequests>[1]
  >;
  const { headers, ...answer } = await signedRequests(baseUrl, () => keys)(method, path, {
    key: String(name ?? "trader"),
    ...(body === undefined ? {} : { body: body as object }),
  });
  return { ...answer, requestId: headers.get("x-request-id") };
}

const placeTool = (sandbox: Sandbox): Tool => ({
  name: "place_order",
  description: "Place an order, signed by a key of the world main. `why` then explains what happens to it.",
  properties: {
    key,
    order: {
      type: "object",
      description:
        "The body of POST /order: product, side, type, base_quantity or quote_value, price, stop_price, client_order_id. Amounts are texts.",
    },
  },
  required: ["order"],
  reads: false,
  run: ({ order, ...given }) => send(sandbox, "POST", "/order", { ...given, body: order }),
});

const cancelTool = (sandbox: Sandbox): Tool => ({
  name: "cancel_order",
  description: "Cancel an order, signed by a key of the world main.",
  properties: { key, id: text("Id of the order.") },
  required: ["id"],
  reads: false,
  run: ({ id, ...given }) => send(sandbox, "DELETE", `/order/${encodeURIComponent(String(id))}`, given),
});

const mostOutput = 60_000;

/** The kit as a program of its own: what it says is its report. */
const conformTool = ({ readyFile }: Sandbox): Tool => ({
  name: "conform",
  description:
    "Run cases of the conformance kit against the sandbox, and give the report. `only`: ids of cases, with * as a wildcard, or of a clause, such as PLC-11.",
  properties: {
    only: { type: "array", items: { type: "string" }, minItems: 1, description: "What is run." },
  },
  required: ["only"],
  reads: false,
  run: async ({ only }) => {
    const wanted = (only as readonly string[]).flatMap((one) => ["--only", one]);
    const child = spawn(
      process.execPath,
      [process.argv[1] ?? "", "conform", "--ready-file", readyFile, ...wanted],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => (said = (said + part).slice(-mostOutput)));
    const exitCode = await new Promise((ended) => child.once("close", ended));
    return { exitCode, report: said };
  },
});
