import { constants } from "node:fs";
import { access, lstat, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileReason } from "../model/file-reason.ts";
import { UsageError } from "../model/position.ts";

/** A file that could not be written after the work was done: exit 6, told after the verdict, so that it hides none. */
export class OutputUnwritten extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OutputUnwritten";
  }
}

/** Looks at the place of a file that will be written, while nothing has been sent and nothing can be lost. */
export async function checkOutput(flag: string, file: string): Promise<void> {
  const refuse = refusalOf(flag, file);
  if (file === "") refuse("the path is empty; name a file");
  const there = await lstat(file).catch(() => undefined);
  if (there?.isDirectory() === true) refuse("it is a folder; name a file");
  if (there?.isSymbolicLink() === true)
    refuse("it is a link, and links are not followed; name the file itself");
  if (there === undefined) await checkRoom(resolve(dirname(file)), refuse);
  else await access(file, constants.W_OK).catch((error: unknown) => refuse(fileReason(error)));
}

/** The same for a folder that will be filled; it is made when it is needed. */
export async function checkOutputFolder(flag: string, folder: string): Promise<void> {
  const refuse = refusalOf(flag, folder);
  if (folder === "") refuse("the path is empty; name a folder");
  await checkRoom(resolve(folder), refuse);
}

/** Writes for its owner only; folders on the way are made. `fresh`: a file that is there already stays as it is. */
export async function writeOutput(
  file: string,
  text: string,
  { fresh = false }: { readonly fresh?: boolean } = {},
): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await (fresh ? writeTo(file, created, text) : replace(file, text));
  } catch (error) {
    throw new OutputUnwritten(`${file} cannot be written: ${fileReason(error)}`);
  }
}

type Refuse = (reason: string) => never;

function refusalOf(flag: string, place: string): Refuse {
  return (reason) => {
    throw new UsageError(`${flag}: ${place === "" ? "it" : place} cannot be written: ${reason}`);
  };
}

/** Is there a folder, or can it be made: the nearest part of the path that exists decides. */
async function checkRoom(folder: string, refuse: Refuse): Promise<void> {
  let place = folder;
  for (;;) {
    try {
      if (!(await stat(place)).isDirectory()) refuse(`${place} is a file, not a folder; check the path`);
      await access(place, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR") refuse(fileReason(error));
      if (dirname(place) === place) refuse(fileReason(error));
      place = dirname(place);
    }
  }
}

const created = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Written beside its place and then moved into it; a link in that place is not followed. */
async function replace(file: string, text: string): Promise<void> {
  const there = await lstat(file).catch(() => undefined);
  if (there?.isSymbolicLink() === true) throw new Error("it is a link, and links are not followed");
  if (there?.isDirectory() === true) throw new Error("it is a folder; name a file");
  // A pipe or a device takes what is written and cannot be replaced.
  if (there !== undefined && !there.isFile()) {
    await writeTo(file, constants.O_WRONLY, text);
    return;
  }
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.draft`);
  try {
    await writeTo(draft, created, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeTo(file: string, flags: number, text: string): Promise<void> {
  await using handle = await open(file, flags, 0o600);
  await handle.writeFile(text);
}
