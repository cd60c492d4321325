/** A PostgreSQL server of its own for a file of tests, from the programs that this machine has. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const installed = "/usr/lib/postgresql";

/** Null where there is none: tests that need it are skipped. */
export const postgresPrograms: string | null =
  (existsSync(installed) ? readdirSync(installed) : [])
    .map((version) => path.join(installed, version, "bin"))
    .findLast((folder) => existsSync(path.join(folder, "initdb"))) ?? null;

export const withoutPostgres =
  "PostgreSQL is not installed (Debian: apt install postgresql), so this is skipped";

export class PostgresServer {
  readonly url: string;
  readonly port: number;
  readonly #folder: string;
  readonly #account: { uid: number; gid: number } | object;
  #server: ChildProcess | null = null;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
    this.#account = accountOf();
    this.url = `postgres://gatewright@127.0.0.1:${port}/postgres`;
    if ("uid" in this.#account) chownSync(folder, this.#account.uid, this.#account.gid);
  }

  static async start(): Promise<PostgresServer> {
    const server = await PostgresServer.#inFolder();
    const choices = ["-D", server.#data, "-U", "gatewright", "-A", "trust", "-E", "UTF8", "--no-sync"];
    execFileSync(programOf("initdb"), choices, { ...server.#account, stdio: "ignore" });
    await server.run();
    return server;
  }

  /** A copy of this server that follows it, and without whose word it acknowledges no commit from now on. */
  async addStandby(): Promise<PostgresServer> {
    const standby = await PostgresServer.#inFolder();
    const from = ["-h", "127.0.0.1", "-p", String(this.port), "-U", "gatewright"];
    const choices = [...from, "-D", standby.#data, "-R", "-c", "fast", "--no-sync"];
    execFileSync(programOf("pg_basebackup"), choices, { ...standby.#account, stdio: "ignore" });
    await standby.run();
    await this.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.ask("SELECT pg_reload_conf()");
    const inStep = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await this.ask(inStep)).length === 0) await sleep(50);
    return standby;
  }

  /** Makes a primary of a standby. */
  async promote(): Promise<void> {
    await this.ask("SELECT pg_promote()");
  }

  static async #inFolder(): Promise<PostgresServer> {
    const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-postgres-"));
    return new PostgresServer(folder, await freePort());
  }

  async run(): Promise<void> {
    const choices = ["-D", this.#data, "-p", String(this.port), "-k", this.#folder, "-h", "127.0.0.1"];
    const server = spawn(programOf("postgres"), choices, { ...this.#account, stdio: "ignore" });
    this.#server = server;
    while (!(await this.#isAnswering())) {
      if (server.exitCode !== null)
        throw new Error(`postgres ended with ${server.exitCode} before it answered`);
      await sleep(50);
    }
  }

  /** After a crash it first flushes every file, however long the disk takes. */
  async #isAnswering(): Promise<boolean> {
    return this.ask("SELECT 1").then(
      () => true,
      () => false,
    );
  }

  async ask(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.url);
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** `SIGQUIT`: at once, as a crash; `SIGINT`: ends every session; `SIGKILL`: as the end of its machine. */
  async stop(signal: "SIGINT" | "SIGKILL" | "SIGQUIT" = "SIGQUIT"): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return path.join(this.#folder, "data");
  }
}

const programOf = (name: string): string => path.join(postgresPrograms ?? "", name);

/** The server refuses to run as root, so Debian's package has made an account for it. */
function accountOf(): { uid: number; gid: number } | object {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return address === null || typeof address === "string" ? 0 : address.port;
}
