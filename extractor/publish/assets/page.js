// What a page can do with scripts: copy, switch the theme, filter a list, hand a paste on to search.
"use strict";

const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

function themeButton(button) {
  const show = () => { button.textContent = dark() ? "Light" : "Dark"; button.ariaLabel = `Switch to ${dark() ? "light" : "dark"} theme`; };
  button.hidden = false;
  button.addEventListener("click", () => {
    const theme = dark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("theme", theme); } catch { /* storage is off: for this page only */ }
    show();
  });
  show();
}

function copyButton(button) {
  if (!navigator.clipboard) return;
  const label = button.ariaLabel;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
      button.textContent = "Copied";
      button.ariaLabel = label.replace("Copy", "Copied");
    } catch {
      button.textContent = "Failed";
    }
    setTimeout(() => { button.textContent = "Copy"; button.ariaLabel = label; }, 1500);
  });
}

function listFilter(list, number) {
  const items = [...list.children];
  if (items.length < 8) return;
  const texts = items.map((item) => item.textContent.toLowerCase());
  const box = document.createElement("p");
  box.className = "filter";
  const label = document.createElement("label");
  const input = document.createElement("input");
  const status = document.createElement("span");
  input.type = "search";
  input.id = `filter-${number}`;
  input.autocomplete = "off";
  label.htmlFor = input.id;
  label.textContent = `Filter ${list.dataset.filter}`;
  status.setAttribute("role", "status");
  box.append(label, input, status);
  list.before(box);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    items.forEach((item, i) => {
      item.hidden = !words.every((word) => texts[i].includes(word));
      shown += item.hidden ? 0 : 1;
    });
    status.textContent = words.length ? `${shown} of ${items.length}` : "";
  });
}

// A one-line field drops line ends, and an address has no room for a traceback: both go by session storage.
function headerSearch(form) {
  const input = form.querySelector("input");
  const go = (text) => {
    try { sessionStorage.setItem("paste", text); } catch { return false; }
    location.href = `${document.body.dataset.root}search/`;
    return true;
  };
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (text.trim().includes("\n") && go(text)) event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    if (input.value.length > 1000 && go(input.value)) event.preventDefault();
  });
}

document.querySelectorAll("button.theme").forEach(themeButton);
document.querySelectorAll("button.copy").forEach(copyButton);
document.querySelectorAll("[data-filter]").forEach(listFilter);
document.querySelectorAll("form.find").forEach(headerSearch);
document.addEventListener("keydown", (event) => {
  const field = document.querySelector("#paste, #q");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!field || event.target.closest("input, textarea, [contenteditable]")) return;
  event.preventDefault();
  field.focus();
});
