// What pages do beyond HTML: times in the reader's zone, a page that follows what happens, a filter that asks
// as one types. Every page works without it.
(function () {
  "use strict";
  const store = function (name, value) { try { localStorage.setItem(name, value); } catch (e) { /* private windows */ } };

  // Times
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const STEPS = [["second", 60], ["minute", 60], ["hour", 24], ["day", 14]];
  function ago(at) {
    let value = (at - Date.now()) / 1000;
    for (const step of STEPS) {
      if (Math.abs(value) < step[1]) return relative.format(Math.round(value), step[0]);
      value /= step[1];
    }
    return null;
  }
  function showTimes() {
    document.querySelectorAll("time[datetime]").forEach(function (time) {
      const at = Date.parse(time.dateTime);
      if (isNaN(at)) return;
      const text = (time.dataset.form === "full" ? null : ago(at)) || local.format(at);
      if (time.textContent !== text) time.textContent = text;
      const utc = new Date(at).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
      const title = local.format(at) + " · " + utc;
      if (time.title !== title) time.title = title;
    });
  }
  setInterval(showTimes, 20000);

  // A page that follows what happens
  let source = null;
  let wait = 1000;
  let retry = 0;
  const say = function (state) {
    const badge = document.getElementById("live");
    if (!badge) return;
    badge.dataset.state = state;
    badge.querySelector(".words").textContent =
      state === "on" ? "Live" : state === "off" ? "Connection lost, trying again" : "Connecting";
  };
  const address = function () {
    const meta = document.querySelector("meta[name=mainstay-live]");
    return meta ? meta.content : null;
  };
  const lookAgain = function () {
    Turbo.renderStreamMessage('<turbo-stream action="refresh"></turbo-stream>');
  };
  // A look that finds nobody must not take the page away: Turbo would load it as a whole, and show that nobody is there.
  document.addEventListener("turbo:fetch-request-error", function (event) {
    const asked = event.detail.request.url;
    if (!asked || asked.href.split("#")[0] !== location.href.split("#")[0]) return;
    event.preventDefault();
    say("off");
    setTimeout(function () { Turbo.navigator.stop(); }, 0);
  });
  function follow() {
    clearTimeout(retry);
    if (source) { source.close(); source = null; }
    const from = address();
    if (!from) return;
    let lost = false;
    source = new EventSource(from);
    source.onopen = function () {
      wait = 1000;
      say("on");
      if (lost) { lost = false; lookAgain(); }
    };
    source.addEventListener("changed", lookAgain);
    source.addEventListener("ended", function () { source.close(); location.reload(); });
    source.onerror = function () {
      say("off");
      lost = true;
      if (source.readyState === EventSource.CLOSED) {
        retry = setTimeout(function () { lookAgain(); follow(); }, wait);
        wait = Math.min(wait * 2, 15000);
      }
    };
  }
  let followed = null;
  function settle() {
    const from = address();
    const what = from ? from.replace(/[?&]seen=.*/, "") : null;
    if (what !== followed || (from && !source)) { followed = what; follow(); } else if (source && source.readyState === EventSource.OPEN) say("on");
  }

  // What the reader is at stays: the answer to a button, text being typed, what was opened, where the focus is
  let saidAt = 0;
  document.addEventListener("turbo:before-morph-element", function (event) {
    if (event.target.id === "said" && !event.detail.newElement && Date.now() - saidAt < 20000) event.preventDefault();
    const form = event.target.closest && event.target.closest("form");
    if (form && (form.contains(document.activeElement) || form.dataset.dirty)) event.preventDefault();
  });
  document.addEventListener("turbo:before-morph-attribute", function (event) {
    if (event.target.tagName === "DETAILS" && event.detail.attributeName === "open") event.preventDefault();
    if (event.target === document.documentElement || event.target.tagName === "TIME" || event.target.id === "live") event.preventDefault();
  });
  document.addEventListener("input", function (event) {
    const form = event.target.form;
    if (form && form.method === "post") form.dataset.dirty = "yes";
  });

  // Filters ask by themselves
  let typing = 0;
  document.addEventListener("input", function (event) {
    const form = event.target.form;
    if (!form || !form.hasAttribute("data-filter")) return;
    clearTimeout(typing);
    typing = setTimeout(function () { form.requestSubmit(); }, event.target.type === "search" ? 350 : 0);
  });
  // Questions before what cannot be taken back
  document.addEventListener("submit", function (event) {
    const button = event.submitter;
    const question = button && button.dataset.ask;
    if (question && !window.confirm(question)) event.preventDefault();
  }, true);
  // All of a list
  document.addEventListener("change", function (event) {
    const all = event.target.closest("[data-all]");
    if (!all) return;
    document.querySelectorAll("input[type=checkbox][name^=" + JSON.stringify(all.dataset.all) + "]").forEach(function (box) { box.checked = all.checked; });
  });

  document.addEventListener("click", function (event) {
    const theme = event.target.closest("[data-switch=theme]");
    if (theme) {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      store("mainstay-theme", root.dataset.theme);
    }
    const still = event.target.closest("[data-switch=still]");
    if (still) {
      const on = document.documentElement.classList.toggle("still");
      store("mainstay-still", on ? "yes" : "no");
      still.setAttribute("aria-pressed", on ? "true" : "false");
    }
    const copy = event.target.closest("[data-copy]");
    if (copy && navigator.clipboard) {
      const from = document.getElementById(copy.dataset.copy);
      navigator.clipboard.writeText(from.textContent).then(function () { copy.textContent = "Copied"; });
    }
  });

  function ready() {
    showTimes();
    settle();
    document.querySelectorAll("[data-switch=still]").forEach(function (b) {
      b.setAttribute("aria-pressed", document.documentElement.classList.contains("still") ? "true" : "false");
    });
    // What is shown once is the answer to a form: looking again must neither show it again nor send the form again.
    const once = document.querySelector("[data-once]");
    if (once) history.replaceState(history.state, "", once.dataset.once);
    if (/[?&]said=/.test(location.search)) {
      saidAt = Date.now();
      const clean = location.href.replace(/([?&])said=[a-z_]+(&|(?=#|$))/, function (m, a, b) { return b ? a : ""; });
      history.replaceState(history.state, "", clean);
    }
  }
  // A link that signs in: what follows the # is never sent with the address. Beyond this machine the reader
  // presses the button: a stranger's link must not bring anybody into a stranger's organization.
  function signIn() {
    const form = document.querySelector("form[action='/sign-in']");
    const key = location.hash.slice(1);
    if (!form || !key) return;
    history.replaceState(null, "", location.pathname + location.search);
    form.elements.key.value = decodeURIComponent(key);
    if (["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) form.submit();
    else form.querySelector("button").focus();
  }
  signIn();
  if (window.Turbo) Turbo.config.drive.progressBarDelay = 86400000;
  document.addEventListener("turbo:load", ready);
  document.addEventListener("turbo:render", ready);
  window.addEventListener("pagehide", function () { if (source) { source.close(); source = null; } });
})();
