/**
 * Measures the CPU time, disk space and memory that operations cost. Takes about six minutes, mostly waiting.
 * `CAPACITY_WRITE=yes npm run bench -- capacity-costs capacity` writes the results to costs.json, from which `capacity`
 * calculates, and updates docs/operate/capacity.md.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { inProject, PROJECT } from '../../test/project.ts';
import type { Row } from '../tools/table.ts';
import { resultBytes } from '../checks/results-size.ts';
import type { Costs, Flow } from './costs.ts';
import { measureCluster } from './measure-cluster.ts';
import { measureEmbedded } from './measure-embedded.ts';
import { bytesOfEvent, sharesOfModels } from './measure-models.ts';
import { measureRequests } from './measure-requests.ts';
import { bytesOfCheck } from './schedule-memory.ts';

/** Number of checks in the schedule whose memory is measured. */
const CHECKS = 100_000;

const load = (): number => Math.round((loadavg()[0] ?? Number.NaN) * 10) / 10;

const commit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: PROJECT, encoding: 'utf8' }).trim();

/** Measures everything, for `--json`. */
export const measure = async (): Promise<Costs | null> => {
  if (process.platform !== 'linux') {
    console.error('skipped: process usage is read from /proc');
    return null;
  }
  const before = load();
  const { row: log, documents: models } = await resultBytes();
  const { incident, ...requests } = await measureRequests();
  const { flows: embedded, memory } = await measureEmbedded();
  const cluster = await measureCluster();
  const { mail, ...ofRequests } = requests;
  return {
    measured: {
      date: new Date().toISOString().slice(0, 10),
      commit: commit(),
      node: process.version,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      load: [before, load()],
    },
    embedded,
    cluster,
    models: await sharesOfModels(),
    requests: ofRequests,
    mail,
    bytes: { result: { log: Math.round(log), models: Math.round(models), json: bytesOfEvent() }, incident },
    memory: { ...memory, check: Math.round(bytesOfCheck(CHECKS)) },
  };
};

const milliseconds = (value: number): string => `${value.toPrecision(3)} ms`;

const flowRow = (what: string, { idle, flowing, each }: Flow): Row => ({
  what,
  figure: `${milliseconds(each)} of CPU per run`,
  peer: `idle ${milliseconds(idle)} per second, plus ${milliseconds(flowing)} per second while runs flow`,
});

const countRow = (what: string, { idle, flowing, each }: Flow): Row => ({
  what,
  figure: `${each.toPrecision(3)} per run`,
  peer: `idle ${idle.toPrecision(3)} per second, plus ${flowing.toPrecision(3)} per second while runs flow`,
});

export const bench = async (): Promise<Row[]> => {
  const costs = await measure();
  if (!costs) return [];
  if (process.env['CAPACITY_WRITE'] === 'yes')
    writeFileSync(inProject('bench/capacity/costs.json'), `${JSON.stringify(costs, null, 2)}\n`);
  const { embedded, cluster, requests, mail, bytes, memory } = costs;
  const { eventstoredb, mongodb, ...roles } = cluster;
  return [
    ...Object.entries(embedded).map(([part, flow]) => flowRow(`one machine: ${part}`, flow)),
    ...Object.entries(roles).map(([role, flow]) => flowRow(`cluster: ${role}`, flow)),
    countRow('cluster: calls to EventStoreDB', eventstoredb),
    countRow('cluster: commands to MongoDB', mongodb),
    { what: 'POST of an incident', figure: `${milliseconds(requests.post)} of CPU` },
    { what: 'GET of an incident', figure: `${milliseconds(requests.get)} of CPU` },
    { what: 'GET of a list of 20 incidents', figure: `${milliseconds(requests.list)} of CPU` },
    { what: 'an e-mail to a subscriber', figure: `${milliseconds(mail)} of CPU` },
    { what: 'a web result on disk', figure: `${bytes.result.log + bytes.result.models} B` },
    { what: 'an incident on disk', figure: `${bytes.incident.log + bytes.incident.models} B` },
    { what: 'a check in the schedule', figure: `${memory.check} B of memory` },
  ];
};
