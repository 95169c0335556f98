/** The tables of docs/operate/capacity.md (document.ts). */
import type { Costs, Flow } from './costs.ts';
import { capacityOf, deploymentsOf, FULL, utilisationOf } from './deployments.ts';
import type { Simulated } from './simulation.ts';
import type { Trial } from './stored-trials.ts';
import { DAY_SECONDS } from '../../domain/time.ts';

/** Default retention of results in days (`RESULT_RETENTION_DAYS`). */
const RETENTION_DAYS = 183;
/**
 * The loads to compare, by number of checks and results per day. Each load has ten times as many checks as the previous
 * one.
 */
const STEPS = [1_000, 10_000, 100_000, 1_000_000].map((checks) => ({ checks, results: checks * 100 }));
const INTERVAL = 60;
const MEBIBYTE = 1_048_576;

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), ''].join('\n');
};

const whole = (value: number): string => Math.round(value).toLocaleString('en');
/** Rounds to two significant digits, the precision of the calculation. */
const about = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
const percent = (share: number): string => `${whole(share * 100)} %`;
const milliseconds = (value: number): string => `${value.toPrecision(2)} ms`;

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const bytes = (count: number): string => {
  let [value, unit] = [count, 0];
  for (; value >= 1_024 && unit < UNITS.length - 1; unit++) value /= 1_024;
  return `${about(value)} ${UNITS[unit] ?? ''}`;
};

const flowCells = (name: string, { idle, flowing, each }: Flow, show: (value: number) => string): string[] => [
  name,
  show(each),
  show(flowing),
  show(idle),
];

const measuredLine = ({ measured }: Costs): string =>
  `Measured on ${measured.date} at commit ${measured.commit}: Node.js ${measured.node.slice(1)}, ` +
  `${measured.processor}, ${measured.cores} cores, other load of ${measured.load.join(' to ')} runnable ` +
  'processes. Command: `npm run bench -- capacity-costs`.';

/** Returns tables of the measured costs of operations. */
export const costTables = (costs: Costs): string => {
  const { embedded, cluster, requests, mail, bytes: sizes, memory, models } = costs;
  const count = about;
  const { eventstoredb, mongodb, ...roles } = cluster;
  const { log, models: modelBytes, json } = sizes.result;
  return [
    measuredLine(costs),
    '',
    table([
      ['CPU time of a web check, http, 1.5 KiB', 'each run', 'a second, while runs flow', 'a second, at rest'],
      ...Object.entries(NAMES).map(([part, name]) =>
        flowCells(name, embedded[part as keyof typeof embedded], milliseconds),
      ),
      ...Object.entries(roles).map(([role, flow]) =>
        flowCells(`cluster: \`${role}\``.replace('`probes`', 'probe processes'), flow, milliseconds),
      ),
      flowCells('cluster: calls to EventStoreDB', eventstoredb, count),
      flowCells('cluster: commands to MongoDB', mongodb, count),
    ]),
    table([
      ['other operations, one machine', 'cost'],
      ['write (POST of an incident), one at a time', `${milliseconds(requests.post)} of CPU`],
      ['read (GET of an incident)', `${milliseconds(requests.get)} of CPU`],
      ['read (list of 20 incidents)', `${milliseconds(requests.list)} of CPU`],
      ['e-mail about an incident, per subscriber', `${milliseconds(mail)} of CPU`],
      ['web result on disk: log, read models', `${whole(log)} B, ${whole(modelBytes)} B`],
      ['web result as JSON, per transfer', `${whole(json)} B`],
      ['incident on disk: log, read models', `${whole(sizes.incident.log)} B, ${whole(sizes.incident.models)} B`],
      ['check in the schedule, memory', `${whole(memory.check)} B`],
      ['service, resident: empty; with the measured checks', `${bytes(memory.idle)}; ${bytes(memory.busy)}`],
      ['probe process, resident', bytes(memory.probes)],
      ...Object.entries(models)
        .slice(0, 4)
        .map(([name, share]) => [`share of read model \`${name}\` in folding a result`, percent(share)]),
    ]),
  ].join('\n');
};

const NAMES = {
  main: 'one machine: main thread (HTTP, scheduler, queue, workers)',
  engine: 'one machine: thread of read models',
  threads: 'one machine: other threads (SQLite, garbage collection)',
  probes: 'one machine: probe processes',
} as const;

/** Returns a table of the calculated capacity of the deployments. */
export const capacityTable = (costs: Costs): string =>
  table([
    ['deployment', 'runs a second', 'checks of 60 s', 'results a day', 'first bottleneck'],
    ...deploymentsOf(costs).map((deployment) => {
      const { runs, bottleneck } = capacityOf(deployment);
      const name = deployment.isPossible ? deployment.name : `${deployment.name} (not in this release)`;
      return [name, about(runs), about(runs * INTERVAL), about(runs * DAY_SECONDS), bottleneck];
    }),
  ]);

/** Returns a table of the calculated utilisation of the deployments at each load of `STEPS`. */
export const tenfoldTable = (costs: Costs): string =>
  table([
    ['deployment', ...STEPS.map(({ checks, results }) => `${whole(checks)} checks, ${whole(results)} a day`)],
    ...deploymentsOf(costs).map((deployment) => [
      deployment.isPossible ? deployment.name : `${deployment.name} (not in this release)`,
      ...STEPS.map(({ results }) => {
        const [{ name, utilisation }] = utilisationOf(deployment, results / DAY_SECONDS);
        return utilisation > FULL ? `**no**: ${name} ${percent(utilisation)}` : `${name} ${percent(utilisation)}`;
      }),
    ]),
  ]);

/** Returns a table of the disk space, memory and network bandwidth calculated for each load of `STEPS`. */
export const needsTable = ({ bytes: { result }, memory }: Costs): string => {
  const onDisk = result.log + result.models;
  const row = (what: string, show: (step: (typeof STEPS)[number]) => string): string[] => [what, ...STEPS.map(show)];
  return table([
    row('load', ({ checks, results }) => `${whole(checks)} checks, ${whole(results)} a day`),
    row('results a second', ({ results }) => about(results / DAY_SECONDS)),
    row('disk, a day', ({ results }) => bytes(results * onDisk)),
    row(`disk, ${RETENTION_DAYS} days`, ({ results }) => bytes(results * onDisk * RETENTION_DAYS)),
    row('of it the log', ({ results }) => bytes(results * result.log * RETENTION_DAYS)),
    row('schedule, memory', ({ checks }) => `${Math.max(1, Math.ceil((checks * memory.check) / MEBIBYTE))} MiB`),
    row('events to one reader of the log', ({ results }) => `${bytes((results / DAY_SECONDS) * result.json)}/s`),
  ]);
};

/** Describes the runs without a result: `missed 4,000`. */
export const lostIn = ({ lost }: Simulated): string =>
  Object.entries(lost)
    .map(([reason, runs]) => `${reason} ${whole(runs)}`)
    .join(', ');

/** Returns a table of the outcomes of the tested loads. */
export const trialTable = (trials: readonly Trial[]): string =>
  table([
    [
      'deployment and load',
      'due a second',
      'stored a second',
      'lateness p50, p99',
      'read models behind, p99',
      'most runs waiting',
      'lost in 15 s',
      'fullest, calculated',
      'fullest, simulated',
    ],
    ...trials.map(({ deployment, what, checks, interval, calculated, simulated }) => {
      const { due, stored, lateness, lag, waiting, used } = simulated;
      return [
        `${deployment}, ${what}: ${whole(checks)} checks of ${whole(interval)} s`,
        whole(due),
        whole(stored),
        `${whole(lateness.p50)}, ${whole(lateness.p99)} ms`,
        `${whole(lag.p99)} ms`,
        whole(waiting),
        lostIn(simulated) || 'none',
        `${calculated.name} ${percent(calculated.utilisation)}`,
        `${used[0].name} ${percent(used[0].utilisation)}`,
      ];
    }),
  ]);
