/** Health of the venue, and its state as a hash. */
import { clockModes } from "../domain/world.ts";
import { stateHash } from "../engine/snapshot.ts";
import { success } from "../http/route.ts";
import { isoTime } from "../wire/envelope.ts";
import { count, mapOf, nullable, oneOfText, record, text, time } from "../wire/schema.ts";
import { choicesInForce } from "../world/freedoms.ts";
import { controlRoute } from "./control-route.ts";
import { hostileMember, seedIn } from "./switch-freedoms.ts";

const hash = "5f1c9f0fd3a57a4a0a0e0c1f4f3b6a0d2c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f";

export const health = controlRoute({
  method: "GET",
  path: "/health",
  operationId: "readHealth",
  verbs: [{ words: "health" }],
  summary: "How the venue is: version, mode, seed, sequence number, chain hash. Asks for no token.",
  open: true,
  answer: {
    schema: record("How the venue is.", {
      version: text("Version of the simulator."),
      mode: text("`running`, or why it takes no orders."),
      trouble: nullable(text("What is wrong, for a person.")),
      seed: count("Seed of the world."),
      worldDigest: text("SHA-256 of the world."),
      epoch: count("How many times the database was opened."),
      seq: count("Entries of the journal."),
      hash: text("Hash over the journal."),
      marketTime: time("Market time."),
      clock: oneOfText("The pace of market time.", clockModes),
      hostile: hostileMember,
      freedoms: mapOf(
        text("Id of an option."),
        "The option of every freedom that does not have its default.",
      ),
    }),
    example: {
      version: "0.1.0",
      mode: "running",
      trouble: null,
      seed: 1,
      worldDigest: hash,
      epoch: 1,
      seq: 0,
      hash: hash,
      marketTime: "2026-01-01T00:00:00.000Z",
      clock: "manual",
      hostile: null,
      freedoms: {},
    },
  },
  run: ({ venue, built: { server }, version }) =>
    success({
      version,
      mode: venue.mode,
      trouble: venue.trouble,
      seed: venue.world.seed,
      worldDigest: venue.world.digest,
      epoch: venue.epoch,
      seq: venue.state.seq,
      hash: venue.hash,
      marketTime: isoTime(venue.clock.now()),
      clock: venue.clock.mode,
      hostile: seedIn(venue.state.settings),
      freedoms: choicesInForce(venue.state.settings, server),
    }),
});

export const stateHashControl = controlRoute({
  method: "GET",
  path: "/state-hash",
  operationId: "readStateHash",
  verbs: [{ words: "state-hash" }],
  summary: "SHA-256 over the whole state: equal for two venues that took the same commands.",
  answer: {
    schema: record("The state as hashes.", {
      seq: count("Entries of the journal."),
      chainHash: text("Hash over the journal."),
      stateHash: text("Hash over the state."),
    }),
    example: { seq: 0, chainHash: hash, stateHash: hash },
  },
  run: ({ venue }) =>
    success({ seq: venue.state.seq, chainHash: venue.hash, stateHash: stateHash(venue.state) }),
});
