import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { privateRegion, regionOf } from '../../domain/check/regions.ts';
import { queuesOfRegion, titleOfQueue } from '../../runners/queue-names.ts';

const test = suite('names of queues');

test('the name of a queue contains the id of its public or private region, and the check type if that type has its own queue', () => {
  const west = regionOf('eu-west1');
  assert.ok(west);
  for (const region of [west, privateRegion('a1b2c3d4e5f6')]) {
    assert.equal(
      queuesOfRegion(region, ['web', 'synthetic']).map(({ name }) => titleOfQueue(name)),
      [region.id, `${region.id} (synthetic)`],
    );
  }
  assert.is(titleOfQueue('mars-synthetic'), 'mars-synthetic');
});

test.run();
