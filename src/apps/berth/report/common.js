// What all pages are drawn with.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

const byId = (id) => document.getElementById(id);

// An element with attributes, and texts or elements in it. Texts stay texts, whatever is in them.
function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const count = (number) => Math.round(number).toLocaleString("en");
const fixed = (number, digits) => (number === null ? "-" : number.toFixed(digits));
const signed = (number, digits) =>
  (number < 0 ? "\u2212" : "+") + Math.abs(number).toFixed(digits);

// Colours that people with any kind of colour vision tell apart (after Okabe and Ito, and lighter
// ones for a dark page), and dashes beside them. FGD, against which others are held, is always the
// thick line in the colour of the text.
const LIGHT = ["#0072b2", "#d55e00", "#007a5a", "#b5478b", "#b07800", "#4b4bc3", "#7a5230"];
const DARK = ["#56b4e9", "#ff9a57", "#3fd1a4", "#f0a3cf", "#f2c744", "#a9a9ff", "#d2a679"];
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2]];

function seriesStyle(i) {
  const colours = isDark() ? DARK : LIGHT;
  return { colour: colours[i % colours.length], dash: DASHES[(i + 1) % DASHES.length], width: 2 };
}

function styleOf(policy) {
  if (policy === "fgd") return { colour: css("--text"), dash: [], width: 3 };
  return seriesStyle(data.policies.filter((name) => name !== "fgd").indexOf(policy));
}

// A piece of a line, for a legend.
function lineSample({ colour, dash, width }) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", "34");
  svg.setAttribute("height", "10");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const look = { x1: 0, x2: 34, y1: 5, y2: 5, stroke: colour, "stroke-width": width, "stroke-dasharray": dash.join(" ") };
  for (const [key, value] of Object.entries(look)) line.setAttribute(key, value);
  svg.append(line);
  return svg;
}

// Axes and texts of every chart.
function chartOptions(xTitle, yTitle, more = {}) {
  const axis = (text, extra) => ({
    title: { display: true, text, color: css("--text") },
    ticks: { color: css("--text") },
    grid: { color: css("--line"), borderColor: css("--faint") },
    ...extra,
  });
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    ...more,
    plugins: { legend: { display: false }, ...more.plugins },
    scales: { x: axis(xTitle, more.x), y: axis(yTitle, more.y) },
  };
}

// Charts by the canvas they are on; drawing again replaces one.
const charts = new Map();
function drawChart(id, config) {
  charts.get(id)?.destroy();
  charts.set(id, new Chart(byId(id), config));
}

// Rows of cells; a cell is a text, or {text, kind} with a class.
function fillTable(table, head, rows) {
  const cell = (tag) => (content) => {
    const { text, kind } = typeof content === "object" ? content : { text: content };
    return make(tag, kind ? { class: kind } : {}, text);
  };
  table.replaceChildren(
    make("thead", {}, make("tr", {}, ...head.map(cell("th")))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell("td"))))),
  );
}

// Beyond two standard errors a difference is marked. `sign` is 1 where more is better, else -1.
function differenceCell(mean, error, digits, sign) {
  if (mean === null) return "-";
  const text = `${signed(mean, digits)} \u00b1 ${error.toFixed(digits)}`;
  if (!(error > 0) || Math.abs(mean) <= 2 * error) return text;
  return mean * sign > 0
    ? { text: `\u25b2 ${text}`, kind: "better" }
    : { text: `\u25bc ${text}`, kind: "worse" };
}

// Draws now, and again when the colours change.
function drawAlways(draw) {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
