import { Registry } from 'prom-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkMetrics, observeArtifacts, observeProbes, observeState } from '../../../service/metrics/metrics.ts';
import { probesPart } from '../../../service/run/probe-processes.ts';
import { REGIONS } from '../../../domain/check/regions.ts';
import { createStatuses } from '../../../projections/engine/status/statuses.ts';
import { projections } from '../../../projections/index.ts';

const test = suite('the metrics of a process');

const DEPTHS = [{ queue: 'eu-west1', waiting: 3, in_flight: 2, parked: 1 }];

/** Returns the metrics of a process. `depths` reports the depths of its queues. */
const figures = (depths: () => Promise<typeof DEPTHS>): Promise<string> => {
  const registry = new Registry();
  observeState(registry, createStatuses(projections), { depths });
  return registry.metrics();
};

test('metrics show the runs in the queues', async () => {
  assert.match(await figures(async () => DEPTHS), 'check_queue_runs{region="EU, West",state="waiting"} 3');
});

test('metrics show how many documents of each read model are set aside', async () => {
  const registry = new Registry();
  const statuses = createStatuses(projections);
  observeState(registry, statuses, { depths: async () => DEPTHS });
  const before = { ...statuses.of('incidents'), generation: 1, state: 'live' as const };
  const asideIn = async (): Promise<string | undefined> =>
    /^projection_set_aside_documents\{projection="incidents"\} (\d+)$/m.exec(await registry.metrics())?.[1];
  assert.is(await asideIn(), '0');
  statuses.receive([{ ...before, set_aside: 2 }]);
  assert.is(await asideIn(), '2');
  assert.match(await registry.metrics(), 'projection_set_aside_documents{projection="pages"} 0');
  statuses.receive([before]);
  assert.is(await asideIn(), '0');
});

test('metrics show the size of stored artifacts, unless it is unknown', async () => {
  const registry = new Registry();
  let reads = 0;
  let usage = async () => ({ files: 3, bytes: 4_096 });
  observeArtifacts(registry, {
    usage: () => {
      reads++;
      return usage();
    },
  });
  assert.match(await registry.metrics(), 'artifacts_bytes 4096');
  assert.match(await registry.metrics(), 'artifacts_files 3');
  assert.is(reads, 2);
  usage = () => Promise.reject(new Error('The database is down.'));
  assert.not.match(await registry.metrics(), /^artifacts_/m);
});

test('metrics count repeated results that the log ignored, and those that it stored again', async () => {
  const registry = new Registry();
  const { worker, link } = checkMetrics(registry);
  const [region] = REGIONS;
  if (!region) throw new Error('There is no region.');
  assert.match(await registry.metrics(), 'check_result_repeats_total{outcome="stored"} 0');
  worker(region).repeated();
  worker(region).repeated();
  link.repeated();
  const text = await registry.metrics();
  assert.match(text, 'check_result_repeats_total{outcome="left_out"} 2');
  assert.match(text, 'check_result_repeats_total{outcome="stored"} 1');
});

test('metrics show the number of probe processes, of their restarts, and of the runs in them', async () => {
  const registry = new Registry();
  const state = { ready: 1, running: 2, restarts: 3, runs: 4, trouble: null };
  observeProbes(registry, { state: () => state });
  for (let round = 0; round < 2; round++) {
    const text = await registry.metrics();
    for (const line of ['probe_processes 2', 'probe_process_restarts_total 3', 'probe_process_runs 4'])
      assert.match(text, line);
  }
});

test('health shows check types that lack a program or a permission, which does not affect readiness', () => {
  const state = { ready: 1, running: 1, restarts: 0, runs: 0, trouble: null };
  const lacking = [
    { type: 'icmp', tools: [], rights: 'fping may not.' },
    { type: 'portscan', tools: ['nmap'], rights: null },
  ];
  const { ready, message } = probesPart({ state: () => state }, lacking);
  const sentences = [
    "Checks of type icmp can't be run here: fping may not.",
    "Checks of type portscan can't be run here: nmap is not installed.",
  ];
  assert.equal([ready, message], [true, sentences.join(' ')]);
});

test('health shows why no probe process can be started', () => {
  const state = { ready: 0, running: 0, restarts: 3, runs: 0, trouble: 'it ended with code 1' };
  assert.equal(probesPart({ state: () => state }), {
    name: 'probe processes',
    ready: false,
    state: 'failing',
    lag_seconds: null,
    message: 'No probe process can be started: it ended with code 1.',
    processes: 0,
    restarts: 3,
  });
});

for (const [name, depths] of [
  ['fail', () => Promise.reject(new Error('EventStoreDB is not available.'))],
  ['do not respond', () => new Promise<never>(() => undefined)],
] as const) {
  test(`metrics are complete except for queues that ${name}`, async () => {
    // The timer keeps the process alive, because no server listens in this test.
    const alive = setInterval(() => undefined, 1_000);
    const text = await figures(depths).finally(() => {
      clearInterval(alive);
    });
    assert.match(text, 'projection_position{projection="pages"} 0');
    assert.not.match(text, 'check_queue_runs{');
  });
}

test.run();
