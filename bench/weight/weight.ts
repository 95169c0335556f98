/**
 * Measures the cost of the POST of an incident and the cost of an idle service, both embedded and in a cluster: counts
 * (queries, commits, pages, system calls, events), CPU time and memory. Takes about two minutes. `npm run --silent
 * bench -- weight --json` prints one object. ceilings.ts contains the maximum counts.
 *
 * - `WEIGHT_PROGRAM=/elsewhere/dist/cli/uptrail.cjs` names the compiled program of another checkout, for example of an
 *   earlier release. It is measured in the same run, in alternation. Its SQL statements are not counted.
 * - `WEIGHT_CLUSTER=no` leaves out the cluster.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';
import { clusterCost, type ClusterCost } from './cluster.ts';
import { embeddedCosts, type EmbeddedCost } from './embedded.ts';

const SIZES = {
  posts: sizeOf('WEIGHT_POSTS', 12),
  turns: sizeOf('WEIGHT_TURNS', 6),
  gets: sizeOf('WEIGHT_GETS', 1_000),
  idleSeconds: sizeOf('WEIGHT_IDLE_SECONDS', 30),
  starts: 1,
};
/** Number of read models that have nothing to do with incidents, each with a reactor. */
const UNRELATED = sizeOf('WEIGHT_UNRELATED', 20);

/** All measurements. */
interface Weight {
  node: string;
  /** load average of the last minute, before and after the measurement */
  load: [before: number, after: number];
  embedded: EmbeddedCost;
  /** an embedded service with additional read models and reactors */
  unrelated: EmbeddedCost & { read_models: number };
  /** the program of another checkout; null if none was named */
  other: EmbeddedCost | null;
  /** null if the cluster was left out */
  cluster: ClusterCost | null;
}

const load = (): number => loadavg()[0] ?? Number.NaN;

/** Measures everything, for `--json`. */
export const measure = async (): Promise<Weight | null> => {
  if (process.platform !== 'linux') {
    console.error('skipped: process usage is read from /proc');
    return null;
  }
  const program = process.env['WEIGHT_PROGRAM'] ?? null;
  const before = load();
  const kinds = [{}, { unrelated: UNRELATED }, ...(program === null ? [] : [{ program }])];
  const [embedded, unrelated, other = null] = await embeddedCosts(kinds, SIZES);
  if (!embedded || !unrelated) throw new Error('Nothing was measured.');
  await sleep(1_000);
  const cluster = process.env['WEIGHT_CLUSTER'] === 'no' ? null : await clusterCost();
  return {
    node: process.version,
    load: [before, load()],
    embedded,
    unrelated: { read_models: UNRELATED, ...unrelated },
    other,
    cluster,
  };
};

const MEBIBYTE = 1_048_576;
const milliseconds = (value: number): string => `${value.toFixed(2)} ms`;
const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(0)} MiB`;
const percent = (value: number): string => `${value.toFixed(2)} %`;

/** Returns a row for each figure of this checkout, compared with the same figure of the other program. */
const embeddedRows = ({ embedded, unrelated, other, load: [from, to] }: Weight): Row[] => {
  const row = (
    what: string,
    of: (cost: EmbeddedCost) => number | undefined,
    show: (value: number) => string,
    aim?: string,
  ): Row => {
    const [value, theirs] = [of(embedded), other && of(other)];
    const beside = theirs !== null && theirs !== undefined && value !== undefined;
    return {
      what,
      figure: value === undefined ? '' : show(value),
      ...(beside && { peer: `other program ${show(theirs)}`, ratio: value / theirs }),
      ...(aim !== undefined && { aim }),
    };
  };
  const post = 'POST of an incident';
  const count = (value: number): string => value.toString();
  const relative = (what: string, of: (cost: EmbeddedCost) => number | undefined): Row => ({
    what: `${post}, with ${unrelated.read_models} unrelated read models and reactors: ${what}`,
    figure: (of(unrelated) ?? Number.NaN).toFixed(1),
    peer: `without them ${(of(embedded) ?? Number.NaN).toFixed(1)}`,
    ratio: (of(unrelated) ?? Number.NaN) / (of(embedded) ?? Number.NaN),
    aim: '≤ 1.03',
  });
  return [
    row(
      `${post}, load ${from.toFixed(1)} to ${to.toFixed(1)}: median`,
      (cost) => cost.post.median_ms,
      milliseconds,
      '≤ 6',
    ),
    row(`${post}: CPU of all threads`, (cost) => cost.post.cpu_ms, milliseconds, '≤ 5'),
    row(`${post}: the same, above that of idling`, aboveIdle, milliseconds),
    row(`${post}: list queries`, (cost) => cost.post.counts.list_queries, count, '≤ 6'),
    row(`${post}: commits of read models`, (cost) => cost.post.counts.commits, count, '≤ 6'),
    row(`${post}: of these, commits of positions only`, (cost) => cost.post.counts.position_commits, count),
    row(`${post}: page writes`, (cost) => cost.post.counts.page_writes, count, '≤ 50'),
    row(`${post}: write system calls`, (cost) => cost.post.counts.write_calls, count, '≤ 70'),
    row(`${post}: events, including its own`, (cost) => cost.post.counts.events, count, '1'),
    relative('list queries', (cost) => cost.post.counts.list_queries),
    relative('commits', (cost) => cost.post.counts.commits),
    relative('page writes', (cost) => cost.post.counts.page_writes),
    relative('write system calls', (cost) => cost.post.counts.write_calls),
    relative('CPU', (cost) => cost.post.cpu_ms),
    row('GET of an incident: CPU', (cost) => cost.get.incident_cpu_ms, milliseconds),
    row('GET of a list of 20 incidents: CPU', (cost) => cost.get.list_cpu_ms, milliseconds),
    row('idle service: CPU of all processes, of a core', (cost) => cost.idle.cpu_percent, percent, '< 0.5 %'),
    row('idle service: resident memory', (cost) => cost.idle.memory, mebibytes, '≤ 150 MiB'),
    row('idle service: resident memory of all processes', (cost) => cost.idle.memoryOfAll, mebibytes),
    row(`idle service: list queries in ${SIZES.idleSeconds} s`, (cost) => cost.idle.counts.list_queries, count, '0'),
    row('idle service: page writes', (cost) => cost.idle.counts.page_writes, count),
    row('idle service: write system calls', (cost) => cost.idle.counts.write_calls, count),
    row('idle service: WAL files', (cost) => cost.idle.wal_bytes, mebibytes),
    row('idle service: open files', (cost) => cost.idle.files, count),
    row('start until ready, empty', (cost) => cost.ready_ms, milliseconds, '≤ 2,500 ms'),
  ];
};

/** Returns the CPU time of a POST in milliseconds, minus the CPU time of an idle service during the same time. */
const aboveIdle = ({ post, idle }: EmbeddedCost): number => post.cpu_ms - (idle.cpu_percent / 100) * post.lap_ms;

const clusterRows = ({ median_ms, roles }: ClusterCost): Row[] => [
  { what: 'cluster: POST of an incident, median', figure: milliseconds(median_ms), aim: '≤ 25 ms' },
  ...Object.entries(roles).map(([role, cost]) => ({
    what: `cluster: ${role}, for a POST`,
    figure: `${cost.commands} commands, ${cost.calls} calls`,
    peer: `idle ${cost.idle_commands_per_second.toFixed(1)} and ${cost.idle_calls_per_second.toFixed(1)} per second, ${percent(cost.idle_cpu_percent)}`,
    aim: '< 1 %',
  })),
];

export const bench = async (): Promise<Row[]> => {
  const weight = await measure();
  if (!weight) return [];
  return [...embeddedRows(weight), ...(weight.cluster ? clusterRows(weight.cluster) : [])];
};
