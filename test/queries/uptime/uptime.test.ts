import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid } from '../../../domain/errors.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import { invalidComponentIds, readUptimeByIds } from '../../../queries/uptime/uptime.ts';
import { added, opened } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
import { rejects } from '../../rejects.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('uptime of named components');

const FACTS = [
  pageCreated({ time_zone: 'Asia/Tokyo' }),
  added('group', { group: true }),
  added('api', { group_id: 'group' }),
  added('web'),
  opened({ components: { api: 'major_outage' } }),
];
/** The current time of the tests, one hour after the start of a major outage. */
const now = '2026-11-20T11:00:00.000000';

test('the uptime of components is returned in the order of their ids, and the uptime of a group covers its components', async () => {
  const scope = scopeOf(FACTS, { now });
  const found = await readUptimeByIds(scope, await findPage(scope, PAGE), ['web', 'group', 'api', 'web'], {});
  assert.equal(
    found.map(({ id, major_outage }) => [id, major_outage]),
    [
      ['web', 0],
      ['group', 3_600],
      ['api', 3_600],
      ['web', 0],
    ],
  );
});

test("the days of uptime are those of the page's time zone", async () => {
  const scope = scopeOf(FACTS, { now: '2026-11-20T15:30:00.000000' });
  const [web] = await readUptimeByIds(scope, await findPage(scope, PAGE), ['web'], { start: '2026-11-20' });
  assert.is(web?.range_end, '2026-11-21');
});

test('a query of uptime reports each id that is not a component of the page', async () => {
  const scope = scopeOf(FACTS, { now });
  const page = await findPage(scope, PAGE);
  const sentence = ['Must be a component of this page.'];
  let error: unknown;
  await readUptimeByIds(scope, page, ['web', 'nobody', 'api', 'none'], {}).catch((thrown: unknown) => (error = thrown));
  assert.instance(error, Invalid);
  assert.equal((error as Invalid).errors, { json: { 'component_ids.1': sentence, 'component_ids.3': sentence } });
  assert.equal(await invalidComponentIds(scope, page, [7, 'web']), { 'component_ids.0': sentence });
});

const MANY = Array.from({ length: 120 }, (_, index) => `c${index}`);
const MANY_FACTS = [pageCreated(), ...MANY.map((id) => added(id))];

test('the timeline of a component is read once even if its id is requested several times', async () => {
  const scope = scopeOf(FACTS, { now });
  const page = await findPage(scope, PAGE);
  const readsFor = async (ids: string[]): Promise<number> => {
    scope.reads.length = 0;
    await readUptimeByIds(scope, page, ids, {});
    return scope.reads.filter((read) => read === 'lanes.find').length;
  };
  assert.is(await readsFor(Array.from({ length: 100 }, () => 'web')), await readsFor(['web']));
});

test('the computation of uptime stops when the caller disconnects', async () => {
  const waited = new AbortController();
  const { read, ...scope } = scopeOf(MANY_FACTS, { now });
  const page = await findPage({ ...scope, read }, PAGE);
  const { reads } = scope;
  const lanes = (): number => reads.filter((one) => one === 'lanes.find').length;
  const whole = await readUptimeByIds({ ...scope, read }, page, MANY, {});
  assert.is(whole.length, MANY.length);
  const all = lanes();
  reads.length = 0;
  const leaving = readUptimeByIds(
    {
      ...scope,
      read: (projection) => {
        const reader = read(projection);
        if (lanes() > 0) waited.abort(new Error('gone'));
        return reader;
      },
    },
    page,
    MANY,
    {},
    waited.signal,
  );
  await rejects(leaving, Error, 'gone');
  assert.ok(lanes() < all, `${lanes()} of ${all} reads`);
});

test.run();
