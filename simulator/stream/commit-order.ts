/** What a client says waits for the commit under way, in its order; meanwhile nothing more is read from its socket. */

/** A venue whose state may be ahead of its store. */
export interface Committing {
  /** While it is not null, the state is not to be shown; then it resolves. */
  readonly underWay: Promise<void> | null;
}

interface Socket {
  pause(): void;
  resume(): void;
}

/** Calls `hear` at once where no commit is under way and nothing waits. */
export function inCommitOrder<T extends readonly unknown[]>(
  venue: Committing,
  socket: Socket,
  hear: (...message: T) => void,
): (...message: T) => void {
  let last: Promise<void> | null = null;
  const after = async (before: Promise<void> | null, message: T): Promise<void> => {
    await before;
    await venue.underWay;
    hear(...message);
  };
  return (...message) => {
    if (last === null && venue.underWay === null) return hear(...message);
    socket.pause();
    const mine = after(last, message).then(() => {
      if (last !== mine) return;
      last = null;
      socket.resume();
    });
    last = mine;
  };
}
