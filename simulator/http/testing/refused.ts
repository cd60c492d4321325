/** The common parts of all refusals of the guard. */
import { expect } from "vitest";
import { conversation } from "./client.ts";
import type { TestServer } from "./server.ts";

export const statusLine = (text: string): string => text.split("\r\n", 1)[0] ?? "";

/** The code in the body of the first answer. */
export const codeIn = (text: string): string => /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? "";

export const answersIn = (text: string): number => (text.match(/HTTP\/1\.1 [0-9]{3}/g) ?? []).length;

/** One answer refuses and closes, and no handler has run. */
export async function expectRefusal(
  server: TestServer,
  bytes: string | Buffer,
  status: number,
  code: string,
): Promise<void> {
  const text = await conversation(server.port, bytes);
  expect(statusLine(text)).toContain(` ${status} `);
  expect(codeIn(text)).toBe(code);
  expect(text.toLowerCase()).toContain("connection: close");
  expect(answersIn(text)).toBe(1);
  expect(server.calls).toEqual([]);
}
