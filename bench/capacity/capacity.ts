/**
 * Calculates the capacity of deployments from costs.json, and tests the calculated capacities in virtual time. Takes
 * one or two minutes. `CAPACITY_WRITE=yes npm run bench -- capacity` writes trials.json and the tables of
 * docs/operate/capacity.md.
 */
import { writeFileSync } from 'node:fs';
import { inProject } from '../../test/project.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';
import { measuredCosts } from './costs.ts';
import { capacityOf, deploymentsOf, FULL } from './deployments.ts';
import { DOCUMENT, documentText } from './document.ts';
import { lostIn } from './tables.ts';
import type { Trial } from './stored-trials.ts';
import { loadsOf, runTrial } from './trials.ts';

/** Virtual seconds of each trial. */
const SECONDS = sizeOf('CAPACITY_SIMULATED', 15);

/**
 * If the calculation expects a utilisation above this value for the fullest resource, the same resource must be the
 * fullest one in the trial.
 */
const NEARLY_FULL = 0.75;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const rowsOf = ({ deployment, what, checks, interval, calculated, simulated }: Trial): Row[] => {
  const { due, stored, lateness, lag, waiting, unread, used } = simulated;
  const [fullest] = used;
  const of = `${deployment}, ${what}: ${checks.toLocaleString('en')} checks of ${interval} s`;
  const fits = calculated.utilisation <= 1;
  const lost = lostIn(simulated);
  return [
    {
      what: `${of}: lateness, p99`,
      figure: `${lateness.p99.toLocaleString('en')} ms`,
      peer: `median ${lateness.p50.toLocaleString('en')} ms; at most ${waiting.toLocaleString('en')} runs waited`,
      ...(fits && { aim: '< 1,000 ms' }),
    },
    {
      what: '… results a second',
      figure: stored.toLocaleString('en'),
      peer: `due ${due.toLocaleString('en')}${lost === '' ? '' : `; lost: ${lost}`}`,
      ratio: stored / due,
      ...(fits && { aim: 'near 1' }),
    },
    {
      what: '… until read models have a result, p99',
      figure: `${lag.p99.toLocaleString('en')} ms`,
      peer: `at most ${unread.toLocaleString('en')} results unread`,
    },
    {
      what: '… the fullest resource',
      figure: `${fullest.name}, ${percent(fullest.utilisation)}`,
      peer: used
        .slice(1)
        .map(({ name, utilisation }) => `${name} ${percent(utilisation)}`)
        .join(', '),
      ...(calculated.utilisation >= NEARLY_FULL && { aim: calculated.name }),
    },
  ];
};

export const bench = async (): Promise<Row[]> => {
  const costs = measuredCosts();
  const trials: Trial[] = [];
  for (const load of loadsOf(costs)) trials.push(await runTrial(load, SECONDS));
  if (process.env['CAPACITY_WRITE'] === 'yes') {
    writeFileSync(inProject('bench/capacity/trials.json'), `${JSON.stringify(trials, null, 2)}\n`);
    writeFileSync(DOCUMENT, documentText());
  }
  return [
    ...deploymentsOf(costs).map((deployment) => {
      const { runs, bottleneck } = capacityOf(deployment);
      return {
        what: `${deployment.name}: runs a second until something is ${percent(FULL)} full, calculated`,
        figure: Math.round(runs).toLocaleString('en'),
        peer: bottleneck,
      };
    }),
    ...trials.flatMap(rowsOf),
  ];
};
