/** The command palette: every view and common actions by a few letters; any id leads to its object. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { act } from "../act.ts";
import { call, world } from "../api.ts";
import { standing } from "../feed.ts";
import { go } from "../router.ts";
import { turnTheme } from "../theme.ts";
import { views } from "../views.tsx";

export const paletteIsOpen = signal(false);

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  paletteIsOpen.value = !paletteIsOpen.value;
});

interface Command {
  readonly title: string;
  readonly run: () => unknown;
}

const clock = (done: string, body: object) => () => act(done, () => call("POST", "/clock", body));

function commandsFor(text: string): Command[] {
  const words = text.trim().toLowerCase();
  const ids: Command[] =
    words.length < 3 || words.includes(" ")
      ? []
      : [
          { title: `Why: order or request ${text.trim()}`, run: () => go("orders", text.trim()) },
          { title: `Exchange ${text.trim()}`, run: () => go("exchanges", text.trim()) },
        ];
  const entry = /^\d+$/.test(words)
    ? [{ title: `Journal entry ${words}`, run: () => go("journal", words) }]
    : [];
  const all: Command[] = [
    ...views.map(({ name, title }) => ({ title, run: () => go(name) })),
    ...(standing.value?.worlds ?? []).map((name) => ({
      title: `World ${name}`,
      run: () => (world.value = name),
    })),
    { title: "Clock: freeze", run: clock("The clock stands.", { mode: "manual" }) },
    { title: "Clock: run", run: clock("The clock runs.", { mode: "real" }) },
    {
      title: "Clock: on by one minute",
      run: clock("The clock went on by one minute.", { advanceMs: 60_000 }),
    },
    {
      title: "Clock: on by one hour",
      run: clock("The clock went on by one hour.", { advanceMs: 3_600_000 }),
    },
    {
      title: "Faults: remove all rules",
      run: () => act("No fault rule is left.", () => call("DELETE", "/faults")),
    },
    { title: "Dark or light", run: turnTheme },
  ];
  return [...entry, ...all.filter(({ title }) => title.toLowerCase().includes(words)), ...ids];
}

export function Palette() {
  const text = useSignal("");
  const at = useSignal(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = paletteIsOpen.value;
  useEffect(() => {
    if (isOpen) {
      text.value = "";
      at.value = 0;
      dialog.current?.showModal();
    } else dialog.current?.close();
  }, [isOpen]);
  const commands = commandsFor(text.value).slice(0, 12);
  const run = (command: Command | undefined): void => {
    paletteIsOpen.value = false;
    command?.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter") run(commands[at.value]);
    else if (event.key === "ArrowDown") at.value = Math.min(commands.length - 1, at.value + 1);
    else if (event.key === "ArrowUp") at.value = Math.max(0, at.value - 1);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={() => (paletteIsOpen.value = false)}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-label="A view, an action, or an id"
        aria-activedescendant={`palette-${at.value}`}
        placeholder="A view, an action, or an id"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-list" role="listbox" aria-label="Commands">
        {commands.map((command, index) => (
          <li
            key={command.title}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => run(command)}
          >
            {command.title}
          </li>
        ))}
      </ul>
    </dialog>
  );
}
