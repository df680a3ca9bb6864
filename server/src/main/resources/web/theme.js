// Runs before the page is drawn, so that nothing flashes: the theme and the stillness that the reader chose.
(function () {
  const root = document.documentElement;
  const read = function (name) { try { return localStorage.getItem(name); } catch (e) { return null; } };
  const theme = read("mainstay-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (read("mainstay-still") === "yes") root.classList.add("still");
  root.classList.add("js");
})();
