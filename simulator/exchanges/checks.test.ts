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
    expect(checks.some(({ check }) => check === "the signature fits the request")).toBe(true);
  });

  it("tell the limit of the address from that of the key", () => {
    expect(refusedBy("RATE_LIMITED", false)).toMatch(/address/);
    expect(refusedBy("RATE_LIMITED", true)).toMatch(/key/);
  });

  it("tell a key that is disabled from one that is not known, by what passed before", () => {
    expect(refusedBy("INVALID_API_KEY", false)).toBe("the API key is known");
    expect(refusedBy("INVALID_API_KEY", true)).toBe("the API key is enabled");
    expect(refusedBy("TIMESTAMP_OUT_OF_WINDOW", false)).toBe("the timestamp is inside the window");
    expect(refusedBy("TIMESTAMP_OUT_OF_WINDOW", true)).toBe("the timestamp is still inside the window");
  });

  it("say no more than the uniform code does", () => {
    expect(refusedBy("UNAUTHORIZED", false)).toMatch(/headers/);
    expect(refusedBy("UNAUTHORIZED", true)).toMatch(/signature, the key, the time and the nonce/);
  });

  it("name the fault rule that refused it, and not the check that has its code", () => {
    const by = (kind: "status" | "rejectByExchange"): unknown =>
      checksOf({
        answer: { ...answer, code: "MAINTENANCE" },
        screened: true,
        faults: [{ rule: "down", kind, refused: true }],
      }).map(({ check, passed }) => (passed ? check : `not: ${check}`));
    expect(by("status")).toEqual([
      ...checksInOrder.slice(0, 17).map(({ check }) => check),
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
