import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTagFigures } from '../../../site/pages/tag-figures.ts';
import { checkCreated, wentDown } from '../../domain/check/examples.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../../queries/engine/scope.ts';

const test = suite('figures over all checks with a tag');

test('the figures of a tag are read once and cached for 20 seconds', async () => {
  let now = 0;
  const figures = createTagFigures({ monotonic: () => now });
  const scope = scopeOf([checkCreated({ tags: ['prod'] }), wentDown()]);
  const [one, other] = await Promise.all([figures.anyDown(scope, ['prod']), figures.anyDown(scope, ['prod'])]);
  assert.equal([one, other], [true, true]);
  const reads = [...scope.reads];
  now += 19_999;
  assert.is(await figures.anyDown(scope, ['prod']), true);
  assert.equal(scope.reads, reads);
  now += 1;
  await figures.anyDown(scope, ['prod']);
  assert.equal(scope.reads, [...reads, ...reads]);
});

test('the figures of a tag cover only the requested organization, tags and hours', async () => {
  const figures = createTagFigures({ monotonic: () => 0 });
  const scope = scopeOf([checkCreated({ tags: ['prod'] }), wentDown()]);
  assert.is(await figures.anyDown(scope, ['prod']), true);
  assert.is(await figures.anyDown({ ...scope, organizationId: OTHER_ORGANIZATION }, ['prod']), false);
  assert.is(await figures.anyDown(scope, ['eu']), false);
  assert.is((await figures.responseTimes(scope, 'prod', 24)).points.length, 24);
  assert.is((await figures.responseTimes(scope, 'prod', 72)).points.length, 72);
});

test('the figures of a tag are read again after a failure', async () => {
  const figures = createTagFigures({ monotonic: () => 0 });
  const scope = scopeOf([checkCreated({ tags: ['prod'] }), wentDown()]);
  let fails = true;
  const read: typeof scope.read = (projection) => {
    if (fails) throw new Error('The store does not answer.');
    return scope.read(projection);
  };
  const failed = await figures.anyDown({ ...scope, read }, ['prod']).catch(() => 'failed');
  fails = false;
  assert.equal([failed, await figures.anyDown({ ...scope, read }, ['prod'])], ['failed', true]);
});

test.run();
