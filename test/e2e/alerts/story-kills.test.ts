import * as assert from 'uvu/assert';
import { randomFrom } from '../../contracts/random.ts';
import { IS_CLUSTER, serve, type RunningProgram } from '../program.ts';
import { waitUntilNotifying } from '../subscribing.ts';
import { waitUntilAllEnded, assertOneAtATime, assertNotifiedOnce } from './alert-assertions.ts';
import { alertsOf, openTarget, runNow, createAlertFixture, waitUntil } from './alert-fixture.ts';
import { alertSuite } from './alert-suite.ts';
import { realPause } from '../../waiting.ts';

/** Number of kills. It is smaller in a cluster, where each kill takes as long as a takeover. */
const KILLS = IS_CLUSTER ? 2 : 20;

const { specify, run } = alertSuite('kill -9 while alerts fire and end');

specify(
  'a program that is killed while alerts fire and are resolved creates no second active alert, loses no message, and repeats a message only with the same id',
  async (receivers, environment) => {
    const random = randomFrom(20_261_123);
    const target = await openTarget();
    let program: RunningProgram = await serve(environment);
    await waitUntilNotifying(environment);
    const { check, rule } = await createAlertFixture(program, target, receivers);

    for (let kill = 0; kill < KILLS; kill++) {
      // The target alternately stops and starts, so that kills hit both the firing and the end of alerts.
      await (kill % 2 === 0 ? target.stop() : target.start());
      await runNow(program, check);
      await realPause(random.below(1_500), 'the program is killed at any moment');
      await program.end('SIGKILL');
      program = await serve(environment);
      // On a busy machine the first run may begin after the restart. The target must stay stopped until this run has
      // failed.
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
