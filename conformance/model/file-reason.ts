/** Turns the system's error code into a sentence: why a file cannot be read or written, and what to do about it. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder; check the spelling, and from which folder the path counts",
  ENOTDIR: "a part of the path is a file, not a folder; check the path",
  EEXIST: "a file is in the way; check the path",
  EISDIR: "it is a folder; name a file",
  EACCES: "permission is denied; allow this user to use it (chmod), or name another path",
  EPERM: "permission is denied; allow this user to use it (chmod), or name another path",
  EROFS: "the file system is read-only; name a path elsewhere",
  ENOSPC: "the disk is full; make room, or name a path elsewhere",
  ELOOP: "links lead in a circle; name the file itself",
  ENAMETOOLONG: "the path is longer than the system allows; name a shorter one",
  EMFILE: "this process has too many open files; raise the limit (ulimit -n)",
  ENXIO: "it is a socket or a device without a reader; name a file",
  ERR_INVALID_ARG_VALUE: "the path holds a NUL byte; name a path without one",
};

export function fileReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "" } = error as NodeJS.ErrnoException;
  return reasons[code] ?? error.message;
}
