/** Measures the simulation of an alert rule on six months of stored results. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import { newRule, type AlertRuleInput } from '../../domain/alert-rule/settings.ts';
import { NO_GROUP } from '../../domain/check/state.ts';
import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { derivedId } from '../../domain/identity.ts';
import { instantOf, SECOND_MS } from '../../domain/time.ts';
import { projectionKey, type AnyProjection, type Collections } from '../../projections/engine/fold/define.ts';
import { projectionReader } from '../../projections/engine/projection-reader.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import { executionGroups } from '../../projections/execution-groups/projection.ts';
import { quietChecks } from '../../projections/quiet-checks/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { simulateRule, type Simulation } from '../../queries/alerts/simulation/simulate.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { openThreadedReadStore } from '../../stores/read-store/sqlite/threaded.ts';
import { foldResults, ORGANIZATION, webResult } from '../tools/result-samples.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, type Row } from '../tools/table.ts';

const DAYS = sizeOf('SIMULATION_DAYS', 183);
const INTERVAL = 30;
const RUNS = (DAYS * 86_400) / INTERVAL;
const ROUNDS = sizeOf('SIMULATION_ROUNDS', 3);
const NOW = Date.parse('2026-11-20T15:30:00Z');
const START = NOW - RUNS * INTERVAL * SECOND_MS;
const CHECK = derivedId('simulated');

const RULES: readonly [string, Omit<AlertRuleInput, 'name'> & Pick<AlertRuleFields, 'condition'>][] = [
  ['three failures in a row', { condition: 'consecutive_failures', condition_parameters: { count: 3 } }],
  ['timeouts, twice in a row', { condition: 'check_timeout', confirmations: 2 }],
  ['uptime of a day', { condition: 'uptime_below_threshold', condition_parameters: { threshold: 90 } }],
];

function* results(): Generator<NewEvent> {
  for (let run = 0; run < RUNS; run++) yield webResult(CHECK, START + run * INTERVAL * SECOND_MS);
}

const created: RecordedEvent = {
  id: '00000000-0000-4000-8000-000000000001',
  type: 'CheckCreated',
  data: {
    check_id: CHECK,
    organization_id: ORGANIZATION,
    name: 'Shop',
    type: 'web',
    tags: [],
    active: true,
    interval: INTERVAL,
    timeout: 10,
    url: 'https://shop.example/',
    host: null,
    port: null,
    parameters: {},
    secrets: [],
    ...NO_GROUP,
  },
  metadata: {
    $correlationId: 'bench',
    $causationId: 'bench',
    command_id: 'bench',
    actor: { kind: 'system', id: 'bench', role: null },
    organization_id: ORGANIZATION,
    recorded_at: instantOf(START - 1_000),
    schema_version: 1,
  },
  stream: `check-${CHECK}`,
  revision: 0n,
  position: 1n,
};

export const bench = async (): Promise<Row[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'uptrail-simulation-'));
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  const store = openThreadedReadStore({ directory });
  try {
    await foldResults(writer, results(), 'afterwards');
    for (const projection of [executionGroups, quietChecks, checks] as readonly AnyProjection[]) {
      const generation = { projection: projectionKey(projection), number: 1 };
      await writer.open(generation, projection.collections as Collections);
    }
    const check = { id: CHECK, organization_id: ORGANIZATION, name: 'Shop', type: 'web', interval: INTERVAL };
    const document = { ...check, parameters: {}, tags: [], deleted_at: null } as unknown as CheckDocument;
    const read = ((projection: AnyProjection) => {
      if (projection === checks) return { checks: { get: async () => document } };
      const generation = { projection: projectionKey(projection), number: 1 };
      return projectionReader(projection, store, (question) => question(generation));
    }) as Read;
    const rows: Row[] = [];
    for (const [what, input] of RULES) rows.push(await measured(read, what, input));
    return rows;
  } finally {
    await store.close();
    await writer.close();
    rmSync(directory, { recursive: true, force: true });
  }
};

const measured = async (read: Read, what: string, input: (typeof RULES)[number][1]): Promise<Row> => {
  const rule = newRule({ ...input, name: '', check_id: CHECK, channel_ids: [] });
  const took: number[] = [];
  const worked: number[] = [];
  const loop = monitorEventLoopDelay({ resolution: 5 });
  let simulation: Simulation = { alerts: [], runs: 0, truncated: false };
  for (let round = 0; round < ROUNDS; round++) {
    const [began, before] = [performance.now(), process.cpuUsage()];
    loop.enable();
    simulation = await simulateRule(
      { read, organizationId: ORGANIZATION },
      rule,
      { from: instantOf(START), to: instantOf(NOW) },
      { readEvents: async () => [created] },
    );
    loop.disable();
    took.push(performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    worked.push((user + system) / 1_000);
  }
  const { alerts, runs } = simulation;
  return {
    what: `simulated rule, ${what}: ${runs.toLocaleString('en')} runs of ${DAYS} days`,
    figure: `${median(took).toFixed(0)} ms`,
    peer: `${median(worked).toFixed(0)} ms of CPU; ${alerts.length.toLocaleString('en')} alerts; event loop p99 ${(loop.percentile(99) / 1e6).toFixed(0)} ms`,
    aim: '< 3,000 ms',
  };
};
