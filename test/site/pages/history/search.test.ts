import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite, type PublishedSite } from '../published-site.ts';

const test = suite<{ published: PublishedSite }>('searching the history of a status page');

test.before.each(async (context) => {
  context.published = await startPublishedSite();
});
test.after.each(({ published }) => published.stop());

test('the history shows the beginning of a long text with a link to the incident', async ({ published }) => {
  const body = `It begins here. ${'Long, long ago. '.repeat(1_000)}It ends here.`;
  const { id } = await published.incident({ body });
  for (const path of ['history', 'history?q=checkout', 'history?impact=none']) {
    const { text } = await published.get(path);
    assert.match(text, 'It begins here.');
    assert.not.match(text, 'It ends here.');
    assert.match(text, `href="./incidents/${String(id)}"`);
    assert.ok(text.length < 20_000, path);
  }
  assert.match((await published.get(`incidents/${String(id)}`)).text, 'It ends here.');
});

test('the history finds an incident by impact or component even if many newer ones do not match', async ({
  published,
}) => {
  const shop = await published.component('Shop');
  await published.incident({
    name: 'Checkout of one shop',
    impact: 'critical',
    components: { [shop]: 'major_outage' },
  });
  for (let number = 0; number < 200; number += 1) {
    published.pass(1);
    await published.incident({ name: `Checkout ${number}`, impact: 'minor' });
  }
  for (const filter of ['impact=critical', `component=${shop}`, `impact=critical&component=${shop}`])
    for (const search of ['', '&q=checkout']) {
      const { text } = await published.get(`history?${filter}${search}`);
      assert.match(text, 'Checkout of one shop');
      assert.not.match(text, 'Checkout 1<');
    }
});

test('searches of the history are rate limited by address, but the months of the history are not', async ({
  published,
}) => {
  const statuses = new Set<number>();
  for (let number = 0; number < 60; number += 1) statuses.add((await published.get(`history?q=x${number}`)).status);
  assert.equal([...statuses], [200]);
  for (const query of ['q=one', 'impact=minor', 'component=x']) {
    const { status, headers } = await published.get(`history?${query}`);
    assert.is(status, 429);
    assert.is(headers['retry-after'], '1');
  }
  assert.is((await published.get('history?month=2026-10')).status, 200);
  published.pass(60);
  assert.is((await published.get('history?q=one')).status, 200);
});

test('the history does not list planned maintenances', async ({ published }) => {
  const times = { scheduled_for: '2026-11-20T16:00:00Z', scheduled_until: '2026-11-20T17:00:00Z' };
  await published.incident({ name: 'Planned checkout', status: 'scheduled', ...times });
  for (const path of ['history', 'history?q=checkout', 'history?impact=none'])
    assert.not.match((await published.get(path)).text, 'Planned checkout');
});

test.run();
