import { expect, it } from "vitest";
import { conform } from "../index.ts";
import { replace } from "./foreign-gateway/bug.ts";
import { startGateway } from "./foreign-gateway/bugs.ts";
import { profile } from "./foreign-gateway/profile.ts";
import { keys } from "./foreign-gateway/world.ts";

/** The outcomes of the two clauses at a gateway that takes the secret of any key, on one way in. */
async function outcomesWith(transport: "rest" | "stream" | "neither") {
  await using gateway = await startGateway();
  replace(
    gateway.authenticator,
    "isGenuine",
    (legal) => (visit, key, canonical, signature) =>
      (visit.transport === transport ? Object.values(keys) : [key]).some((known) =>
        legal(visit, known, canonical, signature),
      ),
  );
  const { clauses, cases } = await conform({
    ...profile(gateway),
    level: "full",
    properties: "off",
    only: ["auth-05*", "events-03*"],
    expectations: false,
  });
  const outcomeOf = (id: string) => clauses.find((clause) => clause.id === id)?.outcome;
  const failed = cases.filter(({ outcome }) => ["failed", "warned"].includes(outcome));
  return [outcomeOf("AUTH-06"), outcomeOf("EVT-04"), failed.map(({ id }) => id.replace(/\[.*/, ""))];
}

it("convicts a gateway that takes the secret of another key, in a request and in a handshake", async () => {
  const rows = (id: string) => [id, id, id];
  const [rest, stream, neither] = [
    await outcomesWith("rest"),
    await outcomesWith("stream"),
    await outcomesWith("neither"),
  ];
  expect(rest).toEqual(["violated", "satisfied", rows("auth-052-secret-of-another-key")]);
  expect(stream).toEqual(["satisfied", "violated", rows("events-035-secret-of-another-key")]);
  expect(neither).toEqual(["satisfied", "satisfied", []]);
});
