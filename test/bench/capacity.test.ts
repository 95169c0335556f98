import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { capacityOf, cluster, oneMachine, utilisationOf, type Deployment } from '../../bench/capacity/deployments.ts';
import type { Costs, Flow } from '../../bench/capacity/costs.ts';
import { DOCUMENT, documentText } from '../../bench/capacity/document.ts';
import { simulate, type Simulated } from '../../bench/capacity/simulation.ts';

const test = suite('the capacity of a deployment');

const INTERVAL = 60;
const SECONDS = 5;

const flow = (each: number): Flow => ({ idle: 2, flowing: 8, each });

/**
 * Returns costs that are so high that few operations saturate a machine.
 *
 * @param costly the part of the deployment with the highest cost, or `all`
 */
const costsOf = (costly: string): Pick<Costs, 'embedded' | 'cluster' | 'models'> => {
  const flowOf = (part: string): Flow => flow([part, 'all'].includes(costly) ? 60 : 4);
  return {
    embedded: { main: flowOf('main'), engine: flowOf('engine'), threads: flowOf('threads'), probes: flowOf('probes') },
    cluster: {
      api: flowOf('api'),
      schedule: flowOf('schedule'),
      project: flowOf('project'),
      run: flowOf('run'),
      probes: flowOf('probes'),
      eventstoredb: flow(0),
      mongodb: flow(0),
    },
    models: { check_results: 0.5, check_verdicts: 0.3, check_activity: 0.2 },
  };
};

const deployments: readonly [string, Deployment][] = [
  ['main thread', oneMachine(costsOf('main') as Costs, 4)],
  ['thread of read models', oneMachine(costsOf('engine') as Costs, 4)],
  ['cores', oneMachine(costsOf('all') as Costs, 2)],
  ['schedule', cluster(costsOf('schedule') as Costs, { machines: 3, cores: 2, run: 3 })],
  ['project', cluster(costsOf('project') as Costs, { machines: 3, cores: 2, run: 3, project: 2 })],
  ['run', cluster(costsOf('run') as Costs, { machines: 3, cores: 2, run: 1 })],
];

const tried = (deployment: Deployment, share: number, seed = 1): Promise<Simulated> => {
  const checks = Math.floor(capacityOf(deployment).runs * INTERVAL * share);
  return simulate({ deployment, checks, interval: INTERVAL, seconds: SECONDS, seed });
};

for (const [bottleneck, deployment] of deployments) {
  test(`the most expensive part limits the capacity: ${bottleneck} (${deployment.name})`, () => {
    assert.is(capacityOf(deployment).bottleneck, bottleneck);
  });

  test(`no run is lost or late at the calculated capacity that ${bottleneck} limits (${deployment.name})`, async () => {
    const { due, stored, lost, lateness, lag, used } = await tried(deployment, 1);
    assert.equal(lost, {});
    assert.ok(Math.abs(stored - due) <= due / 5, `${stored} of ${due} were stored`);
    assert.ok(lateness.p99 < 1_000, `lateness ${lateness.p99} ms`);
    assert.ok(lag.p99 < 2_000, `read model lag ${lag.p99} ms`);
    assert.ok(used.every(({ utilisation }) => utilisation < 0.9));
  });

  test(`twice the calculated capacity exhausts ${bottleneck} (${deployment.name})`, async () => {
    const { used, waiting, unread, lateness } = await tried(deployment, 2);
    assert.is(used[0].name, bottleneck);
    assert.ok(used[0].utilisation > 0.9);
    assert.ok(waiting > 50 || unread > 50 || lateness.p99 > 1_000);
  });
}

test('a simulation with the same seed gives the same result', async () => {
  const [[, deployment] = []] = deployments;
  assert.ok(deployment);
  assert.equal(await tried(deployment, 0.5, 7), await tried(deployment, 0.5, 7));
  assert.not.equal(await tried(deployment, 0.5, 7), await tried(deployment, 0.5, 8));
});

test('beyond a few projectors, further projectors add capacity only if results are partitioned', () => {
  const costs = costsOf('project') as Costs;
  const busiest = (project: number, partitioned: boolean): number => {
    const all = utilisationOf(cluster(costs, { machines: 30, cores: 2, run: 20, project, partitioned }), 10);
    return all.find(({ name }) => name === 'project')?.utilisation ?? Number.NaN;
  };
  assert.ok(busiest(2, false) < busiest(1, false));
  assert.is(busiest(8, false), busiest(2, false));
  assert.ok(busiest(8, true) < busiest(2, true));
});

test('docs/operate/capacity.md contains the latest measurements (to update it: CAPACITY_WRITE=yes npm run bench -- capacity)', () => {
  assert.is(readFileSync(DOCUMENT, 'utf8'), documentText());
});

test.run();
