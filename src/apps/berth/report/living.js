// A cluster that pods also leave: `data` is what apps/berth/living_page.h says.

const setting = () => data.settings[byId("setting").value];
const nameOf = ({ queue, load }) => `${queue}, load ${load.toFixed(2)}`;
const colours = () => data.policies.map((name) => styleOf(name).colour);

function drawAllocated() {
  const allocated = setting().policies.map((policy) => policy.allocated);
  const label = ({ dataIndex }) => {
    const { mean, least, most } = allocated[dataIndex];
    return ` ${mean.toFixed(2)} % (${least.toFixed(2)} to ${most.toFixed(2)})`;
  };
  const lowest = Math.min(...allocated.map(({ least }) => least));
  const highest = Math.max(...allocated.map(({ most }) => most));
  byId("allocated").parentElement.style.height = `${data.policies.length * 2.2 + 5}rem`;
  drawChart("allocated", {
    type: "bar",
    data: {
      labels: data.policies,
      datasets: [
        {
          type: "line",
          showLine: false,
          data: allocated.map(({ mean }) => mean),
          pointStyle: "rectRot",
          pointRadius: 7,
          pointHoverRadius: 7,
          pointBackgroundColor: colours(),
          pointBorderColor: css("--page"),
        },
        {
          data: allocated.map(({ least, most }) => [least, most]),
          backgroundColor: colours().map((colour) => colour + "66"),
        },
      ],
    },
    options: chartOptions("GPU in use, % of all GPUs", "", {
      indexAxis: "y",
      plugins: { tooltip: { callbacks: { label } } },
      x: { min: Math.max(0, Math.floor(lowest) - 1), max: Math.min(100, Math.ceil(highest) + 1) },
      y: { ticks: { color: css("--text") }, grid: { display: false } },
    }),
  });
}

function drawWaits() {
  drawChart("waits", {
    type: "bar",
    data: {
      labels: data.sizes,
      datasets: data.policies.map((name, i) => ({
        label: name,
        data: setting().policies[i].waits.map(({ mean }) => mean),
        backgroundColor: styleOf(name).colour,
      })),
    },
    options: chartOptions("size of job", "mean wait, mean lifetimes", {
      plugins: {
        tooltip: { callbacks: { label: (item) => ` ${item.dataset.label}: ${item.parsed.y.toFixed(4)}` } },
      },
      x: { grid: { display: false } },
      y: { beginAtZero: true },
    }),
  });
}

function drawNumbers() {
  const range = ({ mean, least, most }, digits) =>
    `${mean.toFixed(digits)} (${least.toFixed(digits)}\u2013${most.toFixed(digits)})`;
  fillTable(
    byId("numbers"),
    ["setting", "policy", "GPU in use, %", "wait", "still waiting", ...data.sizes.map((size) => `wait, ${size}`)],
    data.settings.flatMap((each) =>
      each.policies.map((policy, i) => [
        nameOf(each),
        data.policies[i],
        range(policy.allocated, 2),
        range(policy.wait, 4),
        range(policy.still_waiting, 0),
        ...policy.waits.map((wait) => range(wait, 4)),
      ]),
    ),
  );
}

function drawPaired() {
  byId("paired-part").hidden = data.settings[0].policies[0].wait.best === null;
  const cell = (policy) => ({ best, difference, error }, digits, sign) =>
    best === policy ? `best: ${best}` : differenceCell(difference, error, digits, sign);
  fillTable(
    byId("paired"),
    ["setting", "policy", "GPU in use, points", "wait", ...data.sizes.map((size) => `wait, ${size}`)],
    data.settings.flatMap((each) =>
      each.policies.map((policy, i) => {
        const of = cell(data.policies[i]);
        return [
          nameOf(each),
          data.policies[i],
          of(policy.allocated, 2, 1),
          of(policy.wait, 4, -1),
          ...policy.waits.map((wait) => of(wait, 4, -1)),
        ];
      }),
    ),
  );
  byId("unsteady").textContent = data.settings
    .filter(({ steady }) => !steady)
    .map((each) => `${nameOf(each)} has no steady state: its queue grows without end, so waits there ` +
      `depend on how long one looks, here until ${data.horizon} mean lifetimes.`)
    .join(" ");
}

function drawAll() {
  byId("key").replaceChildren(
    ...data.policies.map((name) =>
      make("span", { class: "key" },
        make("span", { class: "swatch", style: `background: ${styleOf(name).colour}` }), name)),
  );
  drawAllocated();
  drawWaits();
  drawNumbers();
  drawPaired();
}

byId("setting").append(...data.settings.map((each, i) => make("option", { value: i }, nameOf(each))));
byId("setting").value = data.settings.length - 1;
byId("about").textContent =
  `${data.policies.length} policies, ${data.seeds} seeds each; played are ${data.horizon} mean lifetimes of which ${data.warm_up} are warm-up. ` +
  `Made by berth evaluate, version ${data.version}.`;
byId("setting").addEventListener("change", drawAll);
drawAlways(drawAll);
