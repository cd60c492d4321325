/** A socket that keeps what it is given. While it is full, what was written waits until the test drains it. */
export class FakeSocket {
  readonly writable = true;
  writableLength = 0;
  readonly taken: Buffer[] = [];
  isFull = false;
  #waiting: (() => void)[] = [];

  get text(): string {
    return Buffer.concat(this.taken).toString("latin1");
  }

  write(chunk: Buffer, done: () => void): boolean {
    this.taken.push(Buffer.from(chunk));
    if (this.isFull) this.writableLength += chunk.length;
    if (this.isFull) this.#waiting.push(done);
    else queueMicrotask(done);
    return !this.isFull;
  }

  drain(): void {
    this.isFull = false;
    this.writableLength = 0;
    for (const done of this.#waiting.splice(0)) done();
  }
}
