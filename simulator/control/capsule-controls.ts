/** A world as the file of a bug report. */
import { writeCapsule } from "../capsule/write-capsule.ts";
import { refuse, success } from "../http/route.ts";
import { count, record, text } from "../wire/schema.ts";
import { controlRoute } from "./control-route.ts";

const readCapsule = controlRoute({
  method: "GET",
  path: "/capsule",
  operationId: "readCapsule",
  verbs: [{ words: "capsule" }],
  summary:
    "The world with its journal and its exchanges as one file, without secrets, to be replayed anywhere.",
  answer: {
    schema: record("A capsule.", {
      entries: count("Entries of the journal in it."),
      exchanges: count("Exchanges in it."),
      leftOut: count("Exchanges that are left out because a client had put a secret into them."),
      hash: text("Chain hash of its last entry."),
      file: text("The file, in base64: gzip of lines of JSON."),
    }),
    example: {
      entries: 12,
      exchanges: 7,
      leftOut: 0,
      hash: "0f3a5c7e9b1d2f4a6c8e0b2d4f6a8c0e",
      file: "H4sIAAAAAAAAA6tWyk4tLlayUkouyi/ISVWq5QIAfMkSRhMAAAA=",
    },
  },
  run: async ({ name, keySuffix, version, built, history, venue, worlds, exchanges: log }) => {
    const all = { world: name, limit: mostKept, after: null, key: null, status: null, path: null };
    const exchanges = log?.list(all) ?? [];
    const { header, entries } = history();
    const until = venue.state.seq;
    const keys = worlds.get(name)?.secrets() ?? [];
    const source = { name, keySuffix, program: version, built, keys, header, entries, until, exchanges };
    const written = await writeCapsule(source);
    if (!written.ok) return refuse("CONFLICT", written.error);
    const { bytes, ...counts } = written.value;
    return success({ ...counts, file: bytes.toString("base64") });
  },
});

/** More than the log holds. */
const mostKept = 1_000_000;

export const capsuleControls = [readCapsule] as const;
