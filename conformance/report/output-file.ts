import { constants } from "node:fs";
import { access, lstat, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileReason } from "../model/file-reason.ts";
import { UsageError } from "../model/position.ts";

/** A file that could not be written after the run: exit 6, reported after the verdict, so that the verdict is shown. */
export class OutputUnwritten extends Error {
  constructor(message: string) {
    super(message);
    this.name = "OutputUnwritten";
  }
}

/** In place of a file of a report: the standard output. */
export const standardOutput = "-";

/** Checks that a file can be written later, before anything is sent. */
export async function checkOutput(flag: string, file: string): Promise<void> {
  const refuse = refusalOf(flag, file);
  if (file === "") refuse("the path is empty; name a file");
  if (file === standardOutput)
    refuse("only a report of a run goes to the standard output; for a file of this name write ./-");
  const there = await lstat(file).catch(() => undefined);
  if (there?.isDirectory() === true) refuse("it is a folder; name a file");
  if (there?.isSymbolicLink() === true)
    refuse("it is a link, and links are not followed; name the file itself");
  if (there === undefined) await checkRoom(resolve(dirname(file)), refuse);
  else await access(file, constants.W_OK).catch((error: unknown) => refuse(fileReason(error)));
}

/** The same for a folder; it is created when it is needed. */
export async function checkOutputFolder(flag: string, folder: string): Promise<void> {
  const refuse = refusalOf(flag, folder);
  if (folder === "") refuse("the path is empty; name a folder");
  await checkRoom(resolve(folder), refuse);
}

/**
 * Writes a file that only its owner can read; missing folders are created. `fresh`: an existing file is not changed.
 * `append`: what it holds is kept.
 */
export async function writeOutput(
  file: string,
  text: string | Uint8Array,
  { fresh = false, append = false }: { readonly fresh?: boolean; readonly append?: boolean } = {},
): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    if (append) await writeTo(file, appended, text);
    else await (fresh ? writeTo(file, created, text) : replace(file, text));
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

/** Checks that a folder exists or can be created; the nearest existing part of the path decides. */
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

const appended = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const inPlace = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Writes a file next to its place and then moves it there; a link in that place is not followed. */
async function replace(file: string, text: string | Uint8Array): Promise<void> {
  const there = await lstat(file).catch(() => undefined);
  if (there?.isSymbolicLink() === true) throw new Error("it is a link, and links are not followed");
  if (there?.isDirectory() === true) throw new Error("it is a folder; name a file");
  // A pipe or a device can be written, but not replaced.
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
    // A file that is mounted into a container cannot be replaced, but written.
    if ((error as NodeJS.ErrnoException).code !== "EBUSY") throw error;
    await writeTo(file, inPlace, text);
  }
}

async function writeTo(file: string, flags: number, text: string | Uint8Array): Promise<void> {
  await using handle = await open(file, flags, 0o600);
  await handle.writeFile(text);
}
