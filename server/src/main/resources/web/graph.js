// Lights the way from the box under the pointer or the focus down to the target branch.
(() => {
  const light = (event) => {
    const step = event.target.closest?.(".queue-graph .step");
    for (const lit of document.querySelectorAll(".queue-graph .lit")) lit.classList.remove("lit");
    for (const svg of document.querySelectorAll(".queue-graph")) svg.classList.toggle("lighting", svg.contains(step));
    const way = step ? [step] : [];
    for (const one of way) {
      if (one.classList.contains("lit")) continue;
      one.classList.add("lit");
      for (const id of (one.dataset.on ?? "").split(" ")) {
        const below = id && document.getElementById("step-" + id);
        if (below) way.push(below);
      }
    }
  };
  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
  document.addEventListener("focusout", () => light({ target: document.body }));
})();
