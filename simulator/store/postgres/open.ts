/** The way into a journal in PostgreSQL. The driver is loaded here, and only here. */
import { failureOf } from "./failure.ts";
import { PostgresJournal } from "./journal.ts";
import { type PostgresOptions, requireDurability, takeOver } from "./lease.ts";
import { migrate } from "./migrations.ts";

/** Connects, brings the schema up to date and takes the world over; `busy` while another node holds it. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresJournal> {
  const { Client: PostgresClient } = (await import("pg")).default;
  const client = new PostgresClient({
    connectionString: options.url,
    application_name: `gatewright ${options.node}`,
    connectionTimeoutMillis: 10_000,
    query_timeout: options.answerMs ?? 10_000,
    keepAlive: true,
  });
  // A connection that ends while it opens fails the statement that waits for it, too.
  const ignore = (): void => {};
  client.on("error", ignore);
  try {
    await client.connect();
    await requireDurability(client, options);
    await migrate(client, options.schema);
    const journal = new PostgresJournal(client, options, await takeOver(client, options));
    client.off("error", ignore);
    return journal;
  } catch (error) {
    await client.end().catch(ignore);
    throw failureOf(error, "while the store was opened", false);
  }
}
