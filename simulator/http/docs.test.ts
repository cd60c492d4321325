import { describe, expect, it } from "vitest";
import { defaultClaims } from "../auth/claims.ts";
import { createDocs } from "./docs.ts";
import { tradingRoutes } from "./routes/all.ts";

const docs = createDocs({ routes: tradingRoutes, claims: defaultClaims, server: "/api/v1/trading" });
const page = String(docs.page().body);

describe("The page of the API documentation", () => {
  it("loads nothing but its own scripts, with any markup", () => {
    const policy = new Map(
      docs
        .page()
        .headers["content-security-policy"]?.split("; ")
        .map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]),
    );
    expect(policy.get("default-src")).toEqual(["'none'"]);
    expect(policy.get("script-src")).toEqual(["'self'"]);
    expect(policy.get("connect-src")).toEqual(["'self'"]);
    expect([...policy.values()].flat().filter((source) => /:\/\/|\*|unsafe-eval/.test(source))).toEqual([]);
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/<script(?![^>]*src=)/);
  });

  it("finds every file that it names", () => {
    const names = [...page.matchAll(/src="docs\/([^"]+)"/g)].map(([, name = ""]) => name);
    expect(names).toEqual(["scalar.js", "start.js"]);
    for (const name of names) {
      const asset = docs.asset(name);
      expect(asset?.headers["content-type"], name).toBe("text/javascript; charset=utf-8");
      expect(asset?.body.length, name).toBeGreaterThan(100);
    }
  });

  it("has no other files", () => {
    for (const name of ["", "scalar.css", "../package.json", "..%2fpackage.json", "/etc/passwd", "SCALAR.js"])
      expect(docs.asset(name), name).toBeNull();
  });

  it("keeps one copy of the script, however often it is asked for", () => {
    expect(docs.asset("scalar.js")?.body).toBe(docs.asset("scalar.js")?.body);
  });

  it("asks neither for fonts nor for opinions, and offers requests only where a proxy signs them", () => {
    const start = String(docs.asset("start.js")?.body);
    expect(start).toContain("withDefaultFonts: false");
    expect(start).toContain("telemetry: false");
    expect(start).toContain("hideTestRequestButton: signed");
    expect(start).not.toMatch(/https?:\/\//);
  });
});

describe("The document", () => {
  it("has two variants", () => {
    const securityOf = (search: string): unknown => {
      // as: it is an OpenAPI document; openapi.test.ts looks at all of it.
      const parsed = JSON.parse(String(docs.document(search).body)) as { readonly security: unknown };
      return parsed.security;
    };
    expect(securityOf("")).toHaveLength(1);
    expect(securityOf("signed=true")).toHaveLength(1);
    expect(securityOf("signed=false")).toEqual([]);
    expect(securityOf("other=1&signed=false")).toEqual([]);
  });

  it("is JSON that no browser takes for something else", () => {
    expect(docs.document("").headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
  });
});
