import { isOrder } from "../../client/order-scan.ts";
import type { SentRequest } from "../../model/exchange.ts";
import type { Call, Connect, Message, Raw } from "../../model/language.ts";
import { readCall } from "../../plan/call.ts";
import type { Sender } from "../send/sender.ts";
import { rawBytes } from "../send/step-raw.ts";
import { handshake } from "../send/step-stream.ts";
import { bytesOfMessage } from "../send/stream-send.ts";
import { planRequest } from "./plan-request.ts";
import type { Scope } from "./scope.ts";

/**
 * Asks the transport's guards about the requests of a row before any of them is sent. Each request is built as in the
 * run, as far as that is possible without answers; later requests can refer to earlier ones.
 *
 * Known limit: values that depend on an answer are unknown, and a request with such a value has no problem here.
 */
export class DryRun {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** For the steps of a shared fragment, which belong to no case. */
  of(caseId: string): DryRun {
    return new DryRun({ ...this.#sender, evaluator: this.#sender.evaluator.of(caseId) });
  }

  call(call: Call, id: string | undefined, scope: Scope): string | undefined {
    return this.#problem(() => {
      const filled = readCall(this.#sender.evaluator.value(call, scope));
      const request = this.#sender.session.prepare(planRequest(filled, this.#sender));
      remember(id, request, scope);
      if (isOrder(request)) this.#egress.onDryOrder?.(request);
      return this.#egress.problem(request);
    }, call.op === "placeOrder");
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

  /** A mistake here occurs again when the step runs, and is handled there. */
  #problem(look: () => string | undefined, isAnOrder = false): string | undefined {
    if (!this.#egress.restricts) return undefined;
    try {
      return look();
    } catch {
      if (isAnOrder) this.#egress.onDryOrder?.(undefined);
      return undefined;
    }
  }
}

/** For `${step.request.body}` in a later step. */
function remember(id: string | undefined, request: SentRequest, scope: Scope): void {
  if (id === undefined) return;
  const exchange = { request, transport: "closed", startedAt: 0, endedAt: 0 } as const;
  scope.remember(id, { exchange, orderOf: () => undefined, itemsOf: () => undefined });
}
