// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import * as assert from 'uvu/assert';
import { findScriptPrograms } from '../../../../probes/script/programs.ts';
import { findLeftovers } from '../sandbox/leftovers.ts';
import { suiteOfSandboxes } from '../sandbox/open-sandboxes.ts';
import { openHostileRuns } from './hostile-runs.ts';
import { inPage, inTest } from './hostile-script.ts';
import { realPause } from '../../../waiting.ts';

const { tests, test, possible } = await suiteOfSandboxes('script runs that are killed at any moment');
const { chromium } = await findScriptPrograms({ chromium: null });
if (chromium === null) console.log('skipped: chromium is not installed');

/** Returns code that uses processes, files and connections all the time. */
const busy = (page: string): string => `
  real('child_process').spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'ignore' }).unref();
  for (let n = 0; ; n++) {
    fs.writeFileSync('/tmp/' + n, 'x'.repeat(1000));
    await attempt(async () => (await fetch('http://${page}/')).text());
    console.log('busy', n);
  }`;

/** Returns moments of a run in milliseconds after its start, all different. */
const moments = (count: number, longest: number): number[] =>
  Array.from({ length: count }, (_, place) => ((place + Math.random()) * longest) / count);

for (const [type, count] of [
  ['multistep', 10],
  ['synthetic', 5],
] as const)
  (type === 'synthetic' && chromium === null ? tests.skip.bind(tests) : test)(
    `a run of type ${type} that is killed at any moment leaves no process, mount, file, socket or cgroup`,
    async () => {
      const runs = await openHostileRuns([type], 1);
      const script = type === 'multistep' ? inTest(busy(runs.places.page)) : inPage(busy(runs.places.page));
      for (const moment of moments(count, 2_500)) {
        const ending = new AbortController();
        const run = runs.run({ type, script }, ending.signal).then(
          () => 'has ended',
          (error: unknown) => (error as Error).name,
        );
        await realPause(moment, 'the run is ended at each moment of its life');
        ending.abort();
        assert.is(await run, 'RunAborted', `after ${moment} ms`);
        assert.is(runs.scripts.state().kinds[type]?.running, 0);
      }
      // Spare sandboxes are also removed.
      await runs.close();
    },
  );

if (possible)
  tests.after(() => {
    assert.equal(findLeftovers().processes, []);
  });

tests.run();
