/** A folder of its own for each test, removed afterwards. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import { SqliteDatabase } from "../driver.ts";
import { buildChild, killAll } from "./child-process.ts";

export function useScratch(): () => string {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-store-"));
    folders.push(folder);
    return folder;
  };
}

/** The program of the child process, compiled once for a file of tests. */
export function useChild(): () => string {
  let folder = "";
  let program = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-child-"));
    program = buildChild(folder);
  });
  afterEach(killAll);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => program;
}

/** Changes a database behind the venue's back. */
export function tamper(file: string, sql: string): void {
  const db = new SqliteDatabase(file);
  db.exec(sql);
  db.close();
}

/** Content of the files that hold entries: what "not touched" is measured by. */
export const contentOf = (file: string): readonly string[] =>
  [file, `${file}-wal`, `${file}.mark`].map((each) => {
    const bytes = existsSync(each) ? readFileSync(each) : Buffer.alloc(0);
    return `${bytes.length} ${createHash("sha256").update(bytes).digest("hex")}`;
  });

/** The failure that `run` ends with. */
export function failureOf(run: () => unknown): StoreFailure {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreFailure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}
