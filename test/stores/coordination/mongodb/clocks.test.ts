import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { followStoreClock } from '../../../../service/cluster/store-clock.ts';
import { openMongoCoordination } from '../../../../stores/coordination/mongodb/open.ts';
import type { Coordination } from '../../../../stores/coordination/port.ts';
import { fakeClock } from '../../../network/fake-clock.ts';
import { skippedWithoutMongoDb } from '../../../servers/mongodb/server.ts';
import { openForSuite } from '../../../servers/mongodb/suite.ts';
import { HOUR_MS, SECOND_MS } from '../../../../domain/time.ts';

const NOW = Date.now();

if (!skippedWithoutMongoDb()) {
  const test = suite('claims of processes whose clocks differ by an hour');
  const mongo = openForSuite(test);

  /**
   * Returns a function that claims an id `after` milliseconds from NOW, on a machine whose clock is ahead by `ahead`
   * milliseconds.
   */
  const claiming = async (ahead: number): Promise<(id: string, after: number) => ReturnType<Coordination['claim']>> => {
    const own = fakeClock(NOW + ahead);
    const { clock, compare, stop } = followStoreClock({
      storeTime: async () => NOW,
      clock: own,
      logger: { warn: () => undefined },
    });
    for (let times = 0; times < 3; times++) await compare();
    stop();
    const coordination = openMongoCoordination(mongo(), undefined, clock.now);
    return (id, after) => coordination.claim(id, 'fingerprint', clock.now() + after);
  };

  test('claims are not taken over early or held too long by processes whose clocks differ by an hour', async () => {
    const [early, late] = [await claiming(HOUR_MS), await claiming(-HOUR_MS)];
    for (const [id, first, second] of [
      ['early', early, late],
      ['late', late, early],
    ] as const) {
      assert.is(await first(id, 0), null);
      assert.is((await second(id, 20 * SECOND_MS))?.created_at, NOW);
      assert.is(await second(id, 31 * SECOND_MS), null);
    }
  });

  test.run();
}
