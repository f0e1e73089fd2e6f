"use strict";
const { copy, copied, wide } = document.body.dataset;

for (const source of document.querySelectorAll(".source")) {
  const code = source.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = copy;
  button.setAttribute("aria-label", `${copy} LaTeX`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = copied;
      setTimeout(() => { button.textContent = copy; }, 1500);
    } catch {
      source.querySelector("details").open = true; // nothing may copy here: select what there is
      getSelection().selectAllChildren(code);
    }
  });
  source.prepend(button);
}

// What scrolls sideways can be reached by keyboard, and only that.
const mark = () => {
  for (const box of document.querySelectorAll(".scroll")) {
    const scrolls = box.scrollWidth > box.clientWidth;
    for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", wide]]) {
      if (scrolls) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }
};
document.fonts.ready.then(mark);
addEventListener("resize", mark);
addEventListener("toggle", mark, true);
