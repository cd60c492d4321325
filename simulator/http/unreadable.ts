/** Why bytes are no request: the errors of Node's parser, as refusals. */
import type { Refusal } from "./errors.ts";

interface ParseError extends NodeJS.ErrnoException {
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** Whether reading ended at a LF without CR, or a CR without LF. */
const endsLineOtherwise = ({
  bytesParsed: end = 0,
  rawPacket: bytes = Buffer.alloc(0),
}: ParseError): boolean =>
  [end - 1, end].some(
    (at) => (bytes[at] === lf && bytes[at - 1] !== cr) || (bytes[at] === cr && bytes[at + 1] !== lf),
  );
const [cr, lf] = [0x0d, 0x0a];

/** Null if the connection is gone. */
export function unreadable(error: ParseError): Refusal | null {
  if (endsLineOtherwise(error))
    return {
      code: "MALFORMED_REQUEST",
      message: "Lines of HTTP end with CR LF (\\r\\n). Here a line ends with only one of them.",
      close: true,
    };
  switch (error.code) {
    case "ECONNRESET":
    case "EPIPE":
      return null;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { code: "REQUEST_TIMEOUT", message: "The request did not arrive in time.", close: true };
    case "HPE_HEADER_OVERFLOW":
      return {
        code: "HEADERS_TOO_LARGE",
        message: "The request line and headers are too large.",
        close: true,
      };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return {
        code: "PAYLOAD_TOO_LARGE",
        message: "The chunk extensions of the body are too large.",
        close: true,
      };
    case "HPE_INVALID_VERSION":
      return {
        code: "HTTP_VERSION_NOT_SUPPORTED",
        message: "HTTP/1.1 and 1.0 are supported here.",
        close: true,
      };
    default:
      return {
        code: "MALFORMED_REQUEST",
        message: "This is not a request that HTTP/1.1 allows.",
        close: true,
      };
  }
}
