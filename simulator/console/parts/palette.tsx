/** The command palette: every view, object and frequent action by its name, from the keyboard. */
import { signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type Command, commandsFor } from "../lib/commands.ts";
import { useControl } from "../lib/resource.ts";
import type { Clients, Products } from "../lib/shapes.ts";

export const paletteOpen = signal(false);

export const Palette = () => {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        paletteOpen.value = !paletteOpen.value;
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  const open = paletteOpen.value;
  useLayoutEffect(() => {
    if (open) box.current?.showModal();
    else box.current?.close();
  }, [open]);
  return (
    <dialog ref={box} class="palette" aria-label="Commands" onClose={() => (paletteOpen.value = false)}>
      {open && <Choices />}
    </dialog>
  );
};

const Choices = () => {
  const typed = useSignal("");
  const at = useSignal(0);
  const clients = useControl<Clients>("/clients", "nothing").value.data?.clients ?? [];
  const products = useControl<Products>("/products", "nothing").value.data?.products ?? [];
  const names = {
    clients: clients.map(({ name }) => name),
    products: products.map(({ product }) => product),
  };
  const found = commandsFor(typed.value, names);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    paletteOpen.value = false;
    command.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      at.value = Math.min(Math.max(0, at.value + step), Math.max(0, found.length - 1));
    }
    // Of what is typed, not of what was drawn last: a fast reader is a frame ahead.
    if (event.key === "Enter") run(commandsFor(typed.peek(), names)[at.peek()]);
  };
  return (
    <div onKeyDown={pressed}>
      <input
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at.value}`}
        aria-label="Type a view, an action, or an id"
        placeholder="A view, an action, a client, an order id, a client_order_id …"
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          at.value = 0;
        }}
      />
      <ul id="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <li
            key={command.name}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => run(command)}
          >
            <span>{command.name}</span>
            <small>{command.hint}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p class="empty">
          Nothing has this name. An id of an order or a request opens it: paste the whole id.
        </p>
      )}
    </div>
  );
};
