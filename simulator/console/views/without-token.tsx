import { useSignal } from "@preact/signals";
import { tokenRefused, useToken } from "../lib/session.ts";

/** In place of every view, when the token is missing, wrong, or of an earlier start. */
export const WithoutToken = () => {
  const pasted = useSignal("");
  const enter = (event: Event): void => {
    event.preventDefault();
    const [, fromLink] = /token=([^&\s]+)/.exec(pasted.value) ?? [];
    if (pasted.value.trim() !== "") useToken(decodeURIComponent(fromLink ?? pasted.value.trim()));
  };
  return (
    <main class="gate" id="content">
      <h1>Gatewright</h1>
      <p class={tokenRefused.value ? "problem" : ""} role="alert">
        {tokenRefused.value
          ? "The sandbox has refused the token of this page: it is wrong, or of an earlier start."
          : "This page needs the control token of the sandbox."}
      </p>
      <p>
        Open the link that <code>gatewright serve</code> printed behind “Console”: it has the token of this
        start. After a restart there is a new link. <code>gatewright serve --open</code> opens it for you, and{" "}
        <code>.gatewright/run-PORT.json</code> in the folder of the sandbox has it as <code>consoleUrl</code>.
      </p>
      <form class="action" onSubmit={enter}>
        <label class="field wide">
          <span>Link or token</span>
          <input
            type="password"
            autocomplete="off"
            value={pasted.value}
            onInput={({ currentTarget }) => (pasted.value = currentTarget.value)}
          />
        </label>
        <button type="submit">Open the console</button>
      </form>
      <p>
        Without a token: <a href="/__gatewright/docs">the API reference</a>,{" "}
        <a href="/__gatewright/health">the state of the venue</a>.
      </p>
    </main>
  );
};
