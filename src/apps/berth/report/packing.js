// What packing looked like: `data` is what apps/berth/packing_page.h says.

// The parts of idle GPU as data.traces[].policies[].idle has them.
const CAUSES = [
  { name: "usable", light: "#c9ced6", dark: "#5b6470" },
  { name: "model not accepted", light: "#007a5a", dark: "#3fd1a4" },
  { name: "too little left of a GPU", light: "#e69f00", dark: "#f2c744" },
  { name: "too few GPUs on the node", light: "#7a5230", dark: "#d2a679" },
  { name: "no CPU left", light: "#0072b2", dark: "#56b4e9" },
  { name: "no memory left", light: "#b5478b", dark: "#f0a3cf" },
];
const colourOf = (cause) => (isDark() ? cause.dark : cause.light);

const shown = new Set(data.policies);
const trace = () => data.traces[byId("trace").value];
const load = () => Number(byId("load").value);
// [policy's name, its results on the chosen workload] of those that are ticked.
const shownPolicies = () =>
  data.policies.map((name, i) => [name, trace().policies[i]]).filter(([name]) => shown.has(name));

// Where curves begin: a little before the policies part.
function firstPercent() {
  if (byId("whole").checked) return 0;
  for (let percent = 0; percent <= 130; ++percent) {
    const values = trace().policies.map((policy) => policy.allocation.mean[percent]);
    if (values.includes(null)) continue;
    if (Math.max(...values) - Math.min(...values) > 0.5) {
      return Math.max(0, Math.min(90, 10 * Math.floor(percent / 10) - 10));
    }
  }
  return 0;
}

const markLoad = {
  id: "markLoad",
  afterDatasetsDraw(chart) {
    const { ctx, chartArea, scales } = chart;
    const x = scales.x.getPixelForValue(load());
    if (x < chartArea.left || x > chartArea.right) return;
    ctx.save();
    ctx.strokeStyle = css("--faint");
    ctx.setLineDash([2, 2]);
    ctx.beginPath();
    ctx.moveTo(x, chartArea.top);
    ctx.lineTo(x, chartArea.bottom);
    ctx.stroke();
    ctx.restore();
  },
};

// The lower and upper edge of a band, and the line in it.
function bandOf(name, curve, first) {
  const { colour, dash, width } = styleOf(name);
  const points = (values) =>
    values.map((y, x) => ({ x, y })).filter(({ x, y }) => y !== null && x >= first);
  const edge = { label: name, pointRadius: 0, pointHitRadius: 0, borderWidth: 0 };
  return [
    { ...edge, data: points(curve.least) },
    { ...edge, data: points(curve.most), fill: "-1", backgroundColor: colour + "33" },
    {
      label: name,
      isMean: true,
      curve,
      data: points(curve.mean),
      borderColor: colour,
      backgroundColor: colour,
      borderDash: dash,
      borderWidth: width,
      pointRadius: 0,
    },
  ];
}

function drawCurves(id, key, yTitle) {
  const first = firstPercent();
  const label = ({ dataset, parsed }) => {
    const [least, most] = [dataset.curve.least[parsed.x], dataset.curve.most[parsed.x]];
    return ` ${dataset.label}: ${parsed.y.toFixed(2)} % (${least.toFixed(2)} to ${most.toFixed(2)})`;
  };
  const title = ([item]) => `demand ${item.parsed.x} % of all GPUs`;
  drawChart(id, {
    type: "line",
    data: { datasets: shownPolicies().flatMap(([name, policy]) => bandOf(name, policy[key], first)) },
    options: chartOptions("GPU asked for so far, % of all GPUs", yTitle, {
      parsing: false,
      interaction: { mode: "index", axis: "x", intersect: false },
      plugins: {
        tooltip: { filter: (item) => item.dataset.isMean, callbacks: { label, title } },
      },
      x: { type: "linear", min: first, max: 130 },
    }),
    plugins: [markLoad],
  });
}

const inGpus = (percent) => (percent === null ? null : (percent / 100) * data.gpus);

function drawCauses() {
  const policies = shownPolicies();
  byId("causes").parentElement.style.height = `${policies.length * 1.9 + 5}rem`;
  drawChart("causes", {
    type: "bar",
    data: {
      labels: policies.map(([name]) => name),
      datasets: CAUSES.map((cause, i) => ({
        label: cause.name,
        data: policies.map(([, policy]) => inGpus(policy.idle[i][load()])),
        backgroundColor: colourOf(cause),
        borderColor: css("--page"),
        borderWidth: 1,
      })),
    },
    options: chartOptions(`idle GPUs when ${load()} % have been asked for, of ${count(data.gpus)}`, "", {
      indexAxis: "y",
      plugins: {
        tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${item.parsed.x.toFixed(1)} GPUs` } },
      },
      x: { stacked: true, beginAtZero: true },
      y: { stacked: true, ticks: { color: css("--text") }, grid: { display: false } },
    }),
  });
  byId("causes-key").replaceChildren(
    ...CAUSES.map((cause) =>
      make("span", { class: "key" },
        make("span", { class: "swatch", style: `background: ${colourOf(cause)}` }), cause.name)),
  );
  fillTable(
    byId("causes-table"),
    ["idle GPUs", ...CAUSES.map((cause) => cause.name), "in all"],
    policies.map(([name, policy]) => {
      const parts = CAUSES.map((_, i) => inGpus(policy.idle[i][load()]));
      const all = parts.includes(null) ? null : parts.reduce((sum, part) => sum + part, 0);
      return [name, ...[...parts, all].map((part) => fixed(part, 1))];
    }),
  );
}

// A row per workload: `of` gives FGD's number, and the cell of each other policy.
function fillPaired(id, fgd, of) {
  const others = data.policies.map((_, i) => i).filter((i) => i !== fgd);
  fillTable(
    byId(id),
    ["workload", "seeds", "fgd", ...others.map((i) => data.policies[i])],
    data.traces.map(({ name, seeds, policies }) => [
      name,
      String(seeds.length),
      of.fgd(policies[fgd]),
      ...others.map((i) => of.other(policies[i])),
    ]),
  );
}

function drawPaired() {
  const fgd = data.policies.indexOf("fgd");
  byId("failed-part").hidden = fgd < 0;
  if (fgd < 0) {
    byId("paired-note").textContent = "FGD was not among the policies; add fgd to --policies.";
    return;
  }
  const at = load();
  byId("paired-note").textContent =
    `GPUs in use when ${at} % have been asked for: for FGD in percent, for the others the mean ` +
    "difference to FGD in points on the same orders of arrival, \u00b1 its standard error. " +
    "\u25b2 marks what is better and \u25bc what is worse than FGD by more than two standard " +
    "errors; smaller differences may be chance.";
  fillPaired("paired", fgd, {
    fgd: ({ allocation }) => fixed(allocation.mean[at], 2),
    other: ({ difference }) => differenceCell(difference.mean[at], difference.error[at], 2, 1),
  });
  byId("failed-note").textContent =
    "Until 130 % had been asked for, on average; for the others the mean difference to FGD. A policy " +
    "may refuse more pods and still have more GPUs in use, when those are smaller ones.";
  fillPaired("failed", fgd, {
    fgd: ({ failed_pods: failed }) => fixed(failed.mean, 1),
    other: ({ failed_pods: failed }) => differenceCell(failed.difference, failed.error, 1, -1),
  });
}

// The rows of data.gains or data.failures that are of the chosen policy, by trace.
function byTrace(list) {
  const rows = new Map();
  for (const each of list.filter(({ policy }) => policy === byId("gains-policy").value)) {
    rows.set(each.trace, [...(rows.get(each.trace) ?? []), each]);
  }
  return [...rows];
}

function gainCell(gain) {
  if (!gain) return "-";
  const cell = differenceCell(gain.mean, gain.standard_error, 2, 1);
  const text = `${cell.text ?? cell} (${gain.above} of ${gain.of})`;
  return cell.text ? { ...cell, text } : text;
}

function failuresCell({ pods, gpus }) {
  const cell = differenceCell(pods.mean, pods.standard_error, 1, -1);
  const text = `${cell.text ?? cell} / ${signed(gpus.mean, 1)}`;
  return cell.text ? { ...cell, text } : text;
}

function drawGains() {
  byId("gains-part").hidden = data.gains.length === 0;
  const loads = [...new Set(data.gains.map(({ load }) => load))];
  fillTable(
    byId("gains"),
    ["workload", ...loads.map((load) => `${load} %`)],
    byTrace(data.gains).map(([trace, gains]) => [
      trace ?? "mean of all",
      ...loads.map((load) => gainCell(gains.find((gain) => gain.load === load))),
    ]),
  );
  fillTable(
    byId("failures"),
    ["workload", ...new Set(data.failures.map((each) => each.class))],
    byTrace(data.failures).map(([trace, classes]) => [trace, ...classes.map(failuresCell)]),
  );
}

// Nodes of one model, in their order.
function modelsOf(nodes) {
  const models = new Map();
  nodes.forEach((node, i) => models.set(node.model, [...(models.get(node.model) ?? []), i]));
  return models;
}

function mix(from, to, share) {
  const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const [a, b] = [channels(from), channels(to)];
  return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * share)).join(",")})`;
}

const GPU = { height: 11, bar: 3, gap: 4 };
const gpuWidth = () => (byId("map").clientWidth < 600 ? 4 : 6);

// Where each node's box goes on a canvas so wide; returns the boxes and the height.
function layOut(numbers, width) {
  const boxes = [];
  let [x, y] = [0, 0];
  for (const number of numbers) {
    const boxWidth = data.nodes[number].gpus * gpuWidth() + 1;
    if (x + boxWidth > width) [x, y] = [0, y + GPU.height + GPU.bar + GPU.gap];
    boxes.push({ number, x, y, width: boxWidth });
    x += boxWidth + GPU.gap;
  }
  return { boxes, height: y + GPU.height + GPU.bar + 1 };
}

function drawNode(ctx, box, { cpu, gpus }, colours) {
  const width = gpuWidth();
  gpus.forEach((used, i) => {
    ctx.fillStyle = mix(colours.idle, colours.used, used / 100);
    ctx.fillRect(box.x + i * width + 1, box.y + 1, width - 1, GPU.height - 1);
    ctx.strokeRect(box.x + i * width + 0.5, box.y + 0.5, width, GPU.height);
  });
  ctx.fillStyle = colours.cpu;
  ctx.fillRect(box.x, box.y + GPU.height + 1, (box.width * cpu) / 100, GPU.bar);
}

function nodeText(number, { cpu, memory, gpus }) {
  const { name, model } = data.nodes[number];
  return `${name} (${model || "no model"}): GPUs used ${gpus.join(", ")} %; CPU ${cpu} %, memory ${memory} % taken`;
}

function drawMap() {
  const usage = trace().policies[byId("map-policy").value].nodes.map(([cpu, memory, ...gpus]) => ({
    cpu, memory, gpus,
  }));
  const colours = { idle: css("--idle"), used: css("--used"), cpu: css("--cpu") };
  const map = byId("map");
  map.replaceChildren();
  for (const [model, numbers] of modelsOf(data.nodes)) {
    const gpus = numbers.flatMap((number) => usage[number].gpus);
    if (gpus.length === 0) continue;
    const used = gpus.reduce((sum, gpu) => sum + gpu, 0) / gpus.length;
    map.append(make("h3", {},
      `${model || "no model"}: ${count(numbers.length)} nodes, ${count(gpus.length)} GPUs, ${used.toFixed(1)} % in use`));
    const canvas = make("canvas", { class: "map" });
    map.append(canvas);
    const width = map.clientWidth;
    const { boxes, height } = layOut(numbers, width);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = `${height}px`;
    const ctx = canvas.getContext("2d");
    ctx.scale(ratio, ratio);
    ctx.strokeStyle = css("--faint");
    ctx.lineWidth = 0.5;
    for (const box of boxes) drawNode(ctx, box, usage[box.number], colours);
    const point = ({ offsetX, offsetY }) => {
      const under = boxes.find(({ x, y, width: boxWidth }) =>
        offsetX >= x && offsetX < x + boxWidth && offsetY >= y && offsetY < y + GPU.height + GPU.bar);
      if (under) byId("pointed").textContent = nodeText(under.number, usage[under.number]);
    };
    canvas.addEventListener("pointermove", point);
    canvas.addEventListener("pointerdown", point);  // a finger only taps
  }
}

function drawLegend() {
  byId("legend").replaceChildren(
    ...data.policies.map((name) => {
      const box = make("input", { type: "checkbox" });
      box.checked = shown.has(name);
      box.addEventListener("change", () => {
        if (box.checked) shown.add(name);
        else shown.delete(name);
        drawResults();
      });
      return make("label", {}, box, lineSample(styleOf(name)), name);
    }),
  );
}

function drawAtLoad() {
  byId("load-shown").textContent = `${load()} %`;
  for (const id of ["allocation", "fragmentation"]) charts.get(id)?.draw();
  drawCauses();
  drawPaired();
}

function drawResults() {
  drawCurves("allocation", "allocation", "GPU in use, % of all GPUs");
  drawCurves("fragmentation", "fragmentation", "fragmented GPU, % of all GPUs");
  drawAtLoad();
}

function drawAll() {
  drawLegend();
  drawResults();
  drawGains();
  drawMap();
}

function option(text, value) {
  return make("option", { value }, text);
}

byId("trace").append(...data.traces.map(({ name }, i) => option(name, i)));
byId("map-policy").append(...data.policies.map(option));
byId("gains-policy").append(
  ...data.policies.filter((name) => name !== "fgd").map((name) => option(name, name)),
);
byId("map-policy").value = Math.max(0, data.policies.indexOf("fgd"));
byId("about").textContent =
  `${count(data.nodes.length)} nodes with ${count(data.gpus)} GPUs; ${data.policies.length} policies, ` +
  `${data.traces.length} workload${data.traces.length > 1 ? "s" : ""}, ` +
  `${data.traces[0].seeds.length} seeds each. Made by berth evaluate, version ${data.version}.`;
byId("trace").addEventListener("change", drawAll);
byId("whole").addEventListener("change", drawResults);
byId("load").addEventListener("input", drawAtLoad);
byId("gains-policy").addEventListener("change", drawGains);
byId("map-policy").addEventListener("change", drawMap);
drawAlways(drawAll);
// Only the map does not follow the width of the page by itself.
let mapWidth = byId("map").clientWidth;
addEventListener("resize", () => {
  if (byId("map").clientWidth === mapWidth) return;
  mapWidth = byId("map").clientWidth;
  drawMap();
});
