/** Searches that go on after their answers. */
import { describe, expect, it } from "vitest";
import { mistakenSigner, type RequestToSign } from "../auth/mistaken-signature.ts";
import { knownMistakes } from "../auth/mistakes.ts";
import { SignatureSearch } from "../auth/signature-search.ts";
import { Doctor } from "./doctor.ts";

const request: RequestToSign = {
  keyId: "kid",
  secret: "a secret",
  method: "POST",
  target: "/api/v1/trading/order",
  host: "localhost:8080",
  timestamp: "1767225600000",
  nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  contentType: "application/json",
  body: Buffer.from('{"side":"BUY"}'),
  signedPath: "path",
};

function begun(...ids: readonly string[]): SignatureSearch {
  const edits = knownMistakes().mistakes.flatMap(({ id, edit }) => (ids.includes(id) ? [edit] : []));
  const signature = ids.length === 0 ? "0".repeat(64) : (mistakenSigner(request)(...edits)?.signature ?? "");
  const search = new SignatureSearch({ ...request, signature });
  search.atOnce();
  return search;
}

const rarePair = ["nonce-upper-case", "content-type-text-plain"];

describe("the doctor", () => {
  it("finds a rare pair after a while, and says so once", async () => {
    const doctor = new Doctor();
    const search = begun(...rarePair);
    let times = 0;
    doctor.examine("a", search, () => (times += 1));
    expect(search.isOver).toBe(false);
    await doctor.settled("a");
    expect([times, search.diagnosis.mistakes.toSorted()]).toEqual([1, rarePair.toSorted()]);
  });

  it("takes first what somebody waits for, and one search after the other", async () => {
    const doctor = new Doctor();
    const ended: string[] = [];
    for (const name of ["a", "b", "c"]) doctor.examine(name, begun(), () => ended.push(name));
    await doctor.settled("c");
    expect(ended[0]).toBe("c");
    await doctor.settled("b");
    expect(ended).toEqual(["c", "b"]);
    doctor.close();
  });

  it("lets nobody wait for what is not searched, or when it closes", async () => {
    const doctor = new Doctor();
    await doctor.settled("nothing");
    const search = begun();
    let isDone = false;
    doctor.examine("a", search, () => (isDone = true));
    const settled = doctor.settled("a");
    doctor.close();
    await settled;
    expect([isDone, search.diagnosis.state]).toEqual([false, "unfinished"]);
  });

  it("gives up what comes in a flood", async () => {
    const doctor = new Doctor();
    const search = begun(...rarePair);
    for (let count = 0; count < 32; count += 1) doctor.examine("flood", begun(), () => undefined);
    doctor.examine("late", search, () => undefined);
    await doctor.settled("late");
    expect(search.isOver).toBe(false);
    doctor.close();
  });
});
