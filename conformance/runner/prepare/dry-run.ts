import type { SentRequest } from "../../model/exchange.ts";
import type { Call, Connect, Message, Raw } from "../../model/language.ts";
import { readCall } from "../../parse/call.ts";
import type { Sender } from "../send/sender.ts";
import { rawBytes } from "../send/step-raw.ts";
import { handshake } from "../send/step-stream.ts";
import { bytesOfMessage } from "../send/stream-send.ts";
import { planRequest } from "./plan-request.ts";
import type { Scope } from "./scope.ts";

/**
 * What the transport is going to say to the requests of a row, asked before any of them is sent. Each is put together
 * as the run would do it, as far as that is possible while nobody has answered; later requests see the earlier ones.
 * What hangs on an answer is not known, and a request that is not known has no problem.
 */
export class DryRun {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** For the steps of a shared fragment, which are nobody's case. */
  of(caseId: string): DryRun {
    return new DryRun({ ...this.#sender, evaluator: this.#sender.evaluator.of(caseId) });
  }

  call(call: Call, id: string | undefined, scope: Scope): string | undefined {
    return this.#problem(() => {
      const filled = readCall(this.#sender.evaluator.value(call, scope));
      const request = this.#sender.session.prepare(planRequest(filled, this.#sender));
      remember(id, request, scope);
      return this.#egress.problem(request);
    });
  }

  raw(raw: Raw, scope: Scope): string | undefined {
    return this.#problem(() => {
      const { bytes, described } = rawBytes(raw, this.#sender, scope);
      const read = this.#egress.readRaw(bytes, raw.chunks !== undefined, described);
      return typeof read === "string" ? read : undefined;
    });
  }

  connect(connect: Connect, id: string | undefined, scope: Scope): string | undefined {
    return this.#problem(() => {
      const request = handshake(connect, this.#sender, scope);
      remember(id, request, scope);
      return this.#egress.problem(request, this.#sender.session.profile.stream?.url?.host);
    });
  }

  message(send: Message, scope: Scope): string | undefined {
    return this.#problem(() =>
      this.#egress.messageProblem(bytesOfMessage(this.#sender.evaluator.value(send, scope))),
    );
  }

  get #egress() {
    return this.#sender.session.parts.egress;
  }

  /** What goes wrong here goes wrong once more when the step runs, and is dealt with there. */
  #problem(look: () => string | undefined): string | undefined {
    if (!this.#sender.session.parts.egress.restricts) return undefined;
    try {
      return look();
    } catch {
      return undefined;
    }
  }
}

/** `${step.request.body}` of a later step. */
function remember(id: string | undefined, request: SentRequest, scope: Scope): void {
  if (id === undefined) return;
  const exchange = { request, transport: "closed", startedAt: 0, endedAt: 0 } as const;
  scope.remember(id, { exchange, orderOf: () => undefined, itemsOf: () => undefined });
}
