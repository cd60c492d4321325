/** The nodes that follow a world, as the store has them. While a world has any, its owner tells them of each batch. */
import type { StoreServer } from "./server.ts";

/** A world that a node follows. */
export interface FollowedRow {
  readonly world: string;
  /** The last entry that it has; about a second old. */
  readonly entry: number;
  /** Why it answers no reads of it; null while it does. */
  readonly trouble: string | null;
}

/** In a query over `node`. */
export const followedSql = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('world', world, 'entry', seq, 'trouble', trouble) ORDER BY world), '[]')
  FROM follower WHERE follower.node = node.name)`;

/** From now on the owner tells of each batch. */
export async function noteFollowed(
  server: StoreServer,
  { world, entry, trouble }: FollowedRow,
): Promise<void> {
  await server.ask(
    `INSERT INTO follower VALUES ($1, $2, $3, $4)
     ON CONFLICT (world, node) DO UPDATE SET seq = excluded.seq, trouble = excluded.trouble`,
    [world, server.node, entry, trouble],
    "followed",
  );
}

export async function forgetFollowed(server: StoreServer, world: string): Promise<void> {
  await server.ask("DELETE FROM follower WHERE world = $1 AND node = $2", [world, server.node]);
}

/** What another process of this name has left. */
export async function forgetAllFollowed(server: StoreServer): Promise<void> {
  await server.ask("DELETE FROM follower WHERE node = $1", [server.node]);
}
