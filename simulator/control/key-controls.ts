/** Controls of API keys: read, create, rotate, enable and disable. */
import { randomBytes } from "node:crypto";
import { allClaims, type CreatedKey, keyStates } from "../domain/account.ts";
import { invariant } from "../domain/invariant.ts";
import type { Outcome } from "../engine/decision.ts";
import { type Refused, refuseRejected, success } from "../http/route.ts";
import { flag, list, maybe, name, oneOf, section, text, type ValueOf } from "../schema/fields.ts";
import { list as listed, oneOfText, record } from "../wire/schema.ts";
import { clientIndex, unknownClient } from "./clients.ts";
import {
  type Controls,
  controlReply,
  controlRoute,
  echo,
  notFound,
  type RefusedCall,
} from "./control-route.ts";
import { exampleKey, keyMembers } from "./world-answer.ts";

const unknownKey: RefusedCall = {
  code: "NOT_FOUND",
  when: "There is no such key.",
  params: { key: "nobody" },
  message:
    "There is no key nobody: the keys are trader, reader, other, counterparty, read-orders, write-orders, read-account, market-data, orphan, disabled",
};

/** The key of this name as the journal knows it, or the reply that says which there are. */
function keyNamed({ venue: { state } }: Controls, called: string): CreatedKey | Refused {
  const { keys } = state;
  return (
    keys.find((one) => one.name === called) ??
    notFound("key", called, `the keys are ${keys.map((one) => one.name).join(", ")}`)
  );
}

const isKey = (found: CreatedKey | Refused): found is CreatedKey => "keyId" in found;

/** The key with its secret, as clients know it; or the refusal of what was to be done to it. */
function keyReply(outcome: Outcome, { name: world, worlds }: Controls, called: string) {
  if (outcome.kind === "rejected") return refuseRejected(outcome.rejection);
  const key = worlds.get(world)?.keys.find((one) => one.name === called);
  invariant(key !== undefined, "a key that was created or rotated is there");
  return success(key, "Done");
}

const newSalt = (): string => randomBytes(16).toString("base64url");

const NewKey = section({
  name: name("Name of the key, unlike those of the other keys of the world."),
  client: maybe(text(40, "Name of the client it acts for. Absent or null: a key without a client.")),
  claims: maybe(
    list(oneOf(allClaims, "A permission."), "What the key may do. Absent or null: everything.", {
      uniqueItems: true,
    }),
  ),
});

const keyAnswer = { schema: record("An API key.", keyMembers), example: { ...exampleKey, name: "bot" } };

async function create(controls: Controls, body: ValueOf<typeof NewKey>) {
  const { client: owner = null } = body;
  const client = owner === null ? null : clientIndex(controls, owner);
  if (client !== null && typeof client !== "number") return client;
  const claims = allClaims.filter((claim) => body.claims?.includes(claim) ?? true);
  // Chance keeps it apart from all that other worlds make of their names.
  const keyId = `gw_${body.name}_${randomBytes(4).toString("hex")}`;
  const outcome = await controls.venue.submit({
    kind: "CreateKey",
    name: body.name,
    keyId,
    client,
    claims,
    salt: newSalt(),
  });
  return keyReply(outcome, controls, body.name);
}

const listedKey = record("An API key.", {
  ...keyMembers,
  state: oneOfText("Whether requests that it signs are taken.", keyStates),
});

const enabledBody = {
  shape: section({ enabled: flag("Whether requests that it signs are taken.") }),
  example: { enabled: false },
};

export const keyControls = [
  controlRoute({
    method: "GET",
    path: "/keys",
    operationId: "listKeys",
    verbs: [{ words: "key list" }],
    summary: "The API keys of the world with their secrets: this is a sandbox.",
    answer: { schema: listed(listedKey, "The keys."), example: [{ ...exampleKey, state: "enabled" }] },
    run: ({ name: world, worlds, venue: { state } }) =>
      success((worlds.get(world)?.keys ?? []).map((key) => ({ ...key, state: state.keyState(key.keyId) }))),
  }),
  controlRoute({
    method: "POST",
    path: "/keys",
    operationId: "createKey",
    verbs: [{ words: "key new", args: ["name"], flags: ["client", "claims"] }],
    summary: "Create an API key. Its id and its secret are in the answer, and in `GET /keys`.",
    body: {
      shape: NewKey,
      example: { name: "bot", client: "alice", claims: ["read:orders", "write:orders"] },
    },
    answer: keyAnswer,
    refusals: [
      { ...unknownClient, params: {}, body: { name: "bot", client: "dave" } },
      {
        code: "INVALID_COMMAND",
        when: "A key of this name is there, or 1,000 keys were created.",
        body: { name: "trader", client: "alice" },
        message: "There is a key trader already: choose another name, or rotate that key",
        details: [{ field: "name" }],
      },
    ],
    run: (controls, _params, body) => create(controls, body),
  }),
  controlRoute({
    method: "POST",
    path: "/keys/{key}/rotate",
    operationId: "rotateKey",
    verbs: [{ words: "key rotate" }],
    summary: "Give an API key another secret at once, and close its WebSockets. The key id stays.",
    answer: keyAnswer,
    refusals: [unknownKey],
    run: async (controls, { key: called = "" }) => {
      const key = keyNamed(controls, called);
      if (!isKey(key)) return key;
      const outcome = await controls.venue.submit({ kind: "RotateKey", keyId: key.keyId, salt: newSalt() });
      return keyReply(outcome, controls, called);
    },
  }),
  controlRoute({
    method: "POST",
    path: "/keys/{key}",
    operationId: "enableKey",
    verbs: [
      { words: "key enable", fixed: { enabled: true }, does: "Enable an API key, by its name." },
      { words: "key disable", fixed: { enabled: false }, does: "Disable an API key, by its name." },
    ],
    summary: "Enable or disable an API key, by its name.",
    body: enabledBody,
    answer: echo({ key: "reader" }, enabledBody),
    refusals: [unknownKey],
    run: async (controls, { key: called = "" }, { enabled }) => {
      const key = keyNamed(controls, called);
      if (!isKey(key)) return key;
      const state = enabled ? "enabled" : "disabled";
      return controlReply(await controls.venue.submit({ kind: "SetKeyState", keyId: key.keyId, state }), {
        key: called,
        enabled,
      });
    },
  }),
] as const;
