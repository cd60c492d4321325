/** A WebSocket client that counts frames: it subscribes once and reads only the lengths of the frames. */
import { connect, type Socket } from "node:net";

const subscribe = '{"type":"subscribe","channel":"orderBook","products":["BTC-USD"]}';

export class FrameClient {
  /** Text frames so far. */
  frames = 0;
  onFrames: () => void = () => undefined;
  readonly socket: Socket;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", () => undefined);
  }

  ask(): void {
    this.socket.write(maskedText(subscribe));
  }

  #take(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const end = frameEnd(data, at);
      if (end < 0 || end > data.length) break;
      if ((data[at] ?? 0) === 0x81) this.frames++;
      at = end;
    }
    this.#rest = data.subarray(at);
    this.onFrames();
  }
}

/** Where the frame at `at` ends; -1 when its header is not there yet. */
function frameEnd(data: Buffer, at: number): number {
  if (data.length - at < 2) return -1;
  const short = (data[at + 1] ?? 0) & 0x7f;
  if (short < 126) return at + 2 + short;
  if (short === 126) return data.length - at < 4 ? -1 : at + 4 + data.readUInt16BE(at + 2);
  return data.length - at < 10 ? -1 : at + 10 + data.readUInt32BE(at + 6);
}

/** The mask is zero, so nothing has to be masked. */
function maskedText(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}

export async function openClient(port: number): Promise<FrameClient> {
  const socket = connect(port, "127.0.0.1");
  socket.write(
    "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    let head = "";
    const read = (chunk: Buffer): void => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", read);
      resolve();
    };
    socket.on("data", read);
  });
  return new FrameClient(socket);
}
