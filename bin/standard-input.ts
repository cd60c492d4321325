/** What is typed or piped into a command. */
import process from "node:process";
import { CommandFailure } from "./command-failure.ts";

/** All of it, up to a bound. */
export async function standardInput(what: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most)
      throw new CommandFailure(`${what}: it has more than ${most} bytes, the most that is read`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
