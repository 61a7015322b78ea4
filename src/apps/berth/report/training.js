// How a policy came to be: `data` is what apps/berth/training_page.h says.

// Columns of the log that have a place of their own; every other number gets a picture.
const SHOWN = new Set(["generation", "stage", "mean_points", "best_points", "validation", "episodes", "seconds"]);
const TITLES = {
  step: "Step size",
  kl: "KL divergence from the policy before the update",
  clip_fraction: "Share of decisions whose update was clipped",
  entropy: "Entropy of decisions",
  mean_return: "Return: GPUs that found no place, negative",
  choices: "Choices learned from",
  explained_variance: "Variance of returns that the critic explains",
  episodes_per_second: "Episodes a second",
};

// Of the chosen regime.
const lines = () => data.lines.filter(({ regime }) => regime === byId("regime").value);
const pods = () => data.pods[byId("regime").value];
const validations = () => lines().filter(({ validation }) => typeof validation === "number");
const kept = () => validations().filter((each) => each.is_best).at(-1);

// [{x, y}] of a number, where lines have it.
const pointsOf = (number) =>
  lines()
    .map((line) => ({ x: line.generation, y: number(line) }))
    .filter(({ y }) => typeof y === "number");

function line(label, points, i, more = {}) {
  const { colour, dash, width } = seriesStyle(i);
  return {
    label, data: points, borderColor: colour, backgroundColor: colour, borderDash: dash,
    borderWidth: width, pointRadius: points.length < 100 ? 2 : 0, pointHitRadius: 6, ...more,
  };
}

const markStages = {
  id: "markStages",
  beforeDatasetsDraw({ ctx, chartArea, scales }) {
    ctx.save();
    ctx.strokeStyle = css("--faint");
    ctx.setLineDash([2, 2]);
    lines().forEach(({ generation, stage }, i, all) => {
      if (i === 0 || stage === all[i - 1].stage) return;
      const x = scales.x.getPixelForValue(generation - 0.5);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
    });
    ctx.restore();
  },
};

// The lowest and the highest point after the first tenth of many generations, with some room: what
// begins far off would else press everything that follows into one line.
function rangeOf(datasets) {
  if (lines().length < 20) return {};
  const points = datasets.flatMap(({ data: all }) => all);
  const first = Math.min(...points.map(({ x }) => x));
  const last = Math.max(...points.map(({ x }) => x));
  const shown = points.filter(({ x }) => x >= first + (last - first) / 10).map(({ y }) => y);
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const room = (high - low) / 20 || 1;
  return { min: low - room, max: high + room };
}

function drawLines(id, datasets, yTitle, { legend = false, range = {} }) {
  const label = ({ dataset, parsed }) => ` ${dataset.label}: ${Number(parsed.y.toPrecision(4))}`;
  const title = ([item]) => `generation ${item.parsed.x}`;
  drawChart(id, {
    type: "line",
    data: { datasets },
    options: chartOptions("generation", yTitle, {
      parsing: false,
      interaction: { mode: "nearest", axis: "x", intersect: false },
      plugins: {
        legend: { display: legend, labels: { color: css("--text"), usePointStyle: true } },
        tooltip: { callbacks: { label, title } },
      },
      x: { type: "linear" },
      y: range,
    }),
    plugins: [markStages],
  });
}

function drawPoints() {
  const diamond = { showLine: false, pointStyle: "rectRot", pointRadius: 8, pointHoverRadius: 8 };
  const datasets = [
    ["validation", (each) => each.validation],
    ["training, mean of the generation", (each) => each.mean_points],
    ["training, best of the generation", (each) => each.best_points],
  ].map(([name, number], i) => line(name, pointsOf(number), i));
  const best = kept();
  if (best) datasets.unshift(line("kept", [{ x: best.generation, y: best.validation }], 0, diamond));
  const drawn = datasets.filter(({ data: points }) => points.length > 0);
  drawLines("points", drawn, "points", { legend: true, range: rangeOf(drawn) });
}

function drawOfPods() {
  const datasets = pods().map((name, i) =>
    line(name, pointsOf((each) => each.validation_of_pods?.[i]), i));
  drawLines("of-pods", datasets, "points", { range: rangeOf(datasets) });
  byId("of-pods-key").replaceChildren(
    ...pods().map((name, i) =>
      make("span", { class: "key" },
        lineSample(seriesStyle(i)), name)),
  );
}

// Names and functions of every other number in the log.
function otherNumbers() {
  const names = new Set(lines().flatMap((each) =>
    Object.keys(each).filter((key) => typeof each[key] === "number" && !SHOWN.has(key))));
  const numbers = [...names].map((name) => [name, (each) => each[name]]);
  if (lines().some(({ episodes, seconds }) => episodes > 0 && seconds > 0)) {
    numbers.push(["episodes_per_second", ({ episodes, seconds }) => episodes / seconds]);
  }
  return numbers;
}

function drawOthers() {
  const numbers = otherNumbers();
  byId("others").replaceChildren(
    ...numbers.map(([name]) =>
      make("div", {},
        make("h3", {}, TITLES[name] ?? name),
        make("div", { class: "chart" },
          make("canvas", { id: `other-${name}`, role: "img", "aria-label": `${TITLES[name] ?? name} by generation` })))),
  );
  for (const [name, number] of numbers) {
    drawLines(`other-${name}`, [line(TITLES[name] ?? name, pointsOf(number), 0)], "", {});
  }
}

function drawValidations() {
  const points = (number) => (typeof number === "number" ? signed(number, 3) : "-");
  fillTable(
    byId("validations"),
    ["generation", "stage", "mean", ...pods()],
    validations().map((each) => [
      each === kept() ? { text: `${each.generation}, kept`, kind: "better" } : String(each.generation),
      String(each.stage),
      points(each.validation),
      ...pods().map((_, i) => points(each.validation_of_pods?.[i])),
    ]),
  );
}

function drawAll() {
  drawPoints();
  drawOfPods();
  drawOthers();
  drawValidations();
}

const seconds = data.lines.reduce((sum, each) => sum + (each.seconds ?? 0), 0);
byId("title").textContent = `How ${data.name} was trained`;
byId("about").textContent =
  `${count(data.lines.length)} generations in ${(seconds / 60).toFixed(1)} minutes. ` +
  `Made by berth train, version ${data.version}.`;
byId("regime").append(...Object.keys(data.pods).map((regime) => make("option", { value: regime }, regime)));
byId("regime").value = "packing";
byId("controls").hidden = Object.keys(data.pods).length === 1;
byId("regime").addEventListener("change", drawAll);
drawAlways(drawAll);
