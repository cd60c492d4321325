// Filters lists by words and by outcome. Everything can be read without it.
for (const section of document.querySelectorAll("[data-filter]")) {
  const bar = section.querySelector(".filters");
  const search = bar.querySelector("input[type=search]");
  const boxes = [...bar.querySelectorAll("input[type=checkbox]")];
  const items = [...section.querySelectorAll("[data-outcome]")];
  const present = new Set(items.map((item) => item.dataset.outcome));
  for (const box of boxes) box.parentElement.hidden = !present.has(box.value);
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const item of items) {
      const text = item.textContent.toLowerCase();
      item.hidden = !(wanted.has(item.dataset.outcome) && words.every((word) => text.includes(word)));
      if (!item.hidden) shown += 1;
    }
    for (const group of section.querySelectorAll(".group"))
      group.hidden = group.querySelector("[data-outcome]:not([hidden])") === null;
    bar.querySelector("output").textContent = shown === items.length ? "" : `${shown} of ${items.length}`;
  };
  search.addEventListener("input", apply);
  for (const box of boxes) box.addEventListener("change", apply);
  bar.hidden = false;
}

// A link to a row opens it, and shows it again if a filter has hidden it.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  const hidden = target.closest("[hidden]");
  if (hidden !== null) {
    for (const box of document.querySelectorAll(".filters input[type=checkbox]")) box.checked = true;
    for (const search of document.querySelectorAll(".filters input[type=search]")) {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    }
  }
  if (target.tagName === "DETAILS") target.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
if (location.hash !== "") reveal();

// The command is selected first: where the clipboard is refused, a person can still copy it.
for (const button of document.querySelectorAll(".copy")) {
  const command = button.parentElement.nextElementSibling;
  const say = (word) => {
    button.textContent = word;
  };
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(command);
    if (navigator.clipboard === undefined) say("Selected");
    else
      navigator.clipboard.writeText(command.textContent).then(
        () => say("Copied"),
        () => say("Selected"),
      );
  });
  button.hidden = false;
}

// A box that scrolls can be reached with the keyboard, and begins where something differs.
const settle = (part) => {
  for (const box of part.querySelectorAll("pre, .scroll")) {
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue;
    box.tabIndex = 0;
    const mark = box.querySelector("mark");
    const below = mark === null ? 0 : mark.offsetTop - box.offsetTop;
    if (below > box.clientHeight - 40) box.scrollTop = below - box.clientHeight / 2;
  }
};
addEventListener("toggle", ({ target }) => settle(target), true);
settle(document);

// On paper nothing can be opened.
addEventListener("beforeprint", () => {
  for (const item of document.querySelectorAll("details.case.bad, details.case.warn")) item.open = true;
});
