import * as assert from 'uvu/assert';
import { randomFrom } from '../../contracts/random.ts';
import { IS_CLUSTER, serve, type RunningProgram } from '../program.ts';
import { waitUntilNotifying } from '../subscribing.ts';
import { waitUntilAllEnded, assertOneAtATime, assertNotifiedOnce } from './alert-assertions.ts';
import { alertsOf, openTarget, runNow, createAlertFixture, waitUntil } from './alert-fixture.ts';
import { alertSuite } from './alert-suite.ts';
import { realPause } from '../../waiting.ts';

/** in a cluster each kill takes as long as a takeover */
const KILLS = IS_CLUSTER ? 2 : 20;

const { specify, run } = alertSuite('kill -9 while alerts fire and end');

specify(
  'kill -9 while alerts fire and end causes no two active alerts, loses no message, and repeats one only under its id',
  async (receivers, environment) => {
    const random = randomFrom(20_261_123);
    const target = await openTarget();
    let program: RunningProgram = await serve(environment);
    await waitUntilNotifying(environment);
    const { check, rule } = await createAlertFixture(program, target, receivers);

    for (let kill = 0; kill < KILLS; kill++) {
      // Alternates, so that each kill hits an alert that fires or one that ends.
      await (kill % 2 === 0 ? target.stop() : target.start());
      await runNow(program, check);
      await realPause(random.below(1_500), 'the program is killed at any moment');
      await program.end('SIGKILL');
      program = await serve(environment);
      // On a busy machine a run may begin only after this, and must find the target unchanged.
      if (kill === 0)
        await waitUntil(
          'an alert',
          () => alertsOf(program, rule),
          ({ length }) => length > 0,
        );
    }

    await target.start();
    await runNow(program, check);
    const alerts = await waitUntilAllEnded(program, rule, receivers);
    assert.ok(alerts.length > 0 && alerts.length <= KILLS / 2, alerts.length.toString());
    assert.is((await program.end('SIGTERM')).code, 0);
    assertNotifiedOnce(receivers, alerts);
    await assertOneAtATime(environment, alerts);
  },
);

run();
