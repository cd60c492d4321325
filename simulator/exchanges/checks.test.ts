/** The checks of a request by the code of its refusal. */
import { describe, expect, it } from "vitest";
import { errorStatus } from "../http/errors.ts";
import { checksInOrder, checksOf } from "./checks.ts";

const refusedBy = (code: string, screened = true): string | undefined => {
  const last = checksOf({ answer: { ...answer, code }, screened, faults: [] }).at(-1);
  return last?.passed === false ? last.check : undefined;
};
const answer = { status: 400, headers: [], body: { length: 0 }, sent: true };

describe("the checks of a request", () => {
  it("know the check of every code that there is", () => {
    const known = new Set(checksInOrder.flatMap(({ codes }) => codes));
    expect(Object.keys(errorStatus).filter((code) => !known.has(code as never))).toEqual([]);
  });

  it("end with the one that refused it", () => {
    expect(refusedBy("INVALID_SIGNATURE")).toBe("the signature fits the request");
    const checks = checksOf({ answer: { ...answer, code: "NONCE_REUSED" }, screened: true, faults: [] });
    expect(checks.slice(0, -1).every(({ passed }) => passed)).toBe(true);
    expect(checks.at(-2)?.check).toBe("the signature fits the request");
  });

  it("tell the limit of the address from that of the key", () => {
    expect(refusedBy("RATE_LIMITED", false)).toMatch(/address/);
    expect(refusedBy("RATE_LIMITED", true)).toMatch(/key/);
  });

  it("name the fault rule that refused it, and not the check that has its code", () => {
    const by = (kind: "status" | "rejectByExchange"): unknown =>
      checksOf({
        answer: { ...answer, code: "MAINTENANCE" },
        screened: true,
        faults: [{ rule: "down", kind, refused: true }],
      }).map(({ check, passed }) => (passed ? check : `not: ${check}`));
    expect(by("status")).toEqual([
      ...checksInOrder.slice(0, 15).map(({ check }) => check),
      "not: the fault rule down (status) lets it pass",
    ]);
    expect(by("rejectByExchange")).toHaveLength(checksInOrder.length + 1);
  });

  it("are all passed by what was not refused", () => {
    expect(refusedBy("no code of ours")).toBeUndefined();
    expect(checksOf({ answer: { ...answer, code: null }, screened: true, faults: [] })).toHaveLength(
      checksInOrder.length,
    );
  });
});
