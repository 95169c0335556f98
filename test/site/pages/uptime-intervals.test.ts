import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite, type PublishedSite } from './published-site.ts';

const test = suite<{ site: PublishedSite }>('the intervals on the page of a component');

test.before.each(async (context) => {
  context.site = await startPublishedSite({ time_zone: 'UTC' });
});
test.after.each(({ site }) => site.stop());

/** The rows of the table, as texts of their cells. */
const rowsOf = async (site: PublishedSite, path: string): Promise<string[][]> => {
  const { text } = await site.get(path);
  const [, table = ''] = /<table class="days intervals">.*?<tbody>(.*?)<\/tbody>/s.exec(text) ?? [];
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '').trim()),
  );
};

test('the intervals of the last 90 days are listed, each with the incident or change that set its status', async ({
  site,
}) => {
  const { time } = site.service;
  const id = await site.component('Shop', { start_date: null });
  time.now += 3_600_000;
  await site.change('POST', '/incidents', {
    name: 'Payments fail',
    body: 'We look into it.',
    status: 'investigating',
    components: { [id]: 'major_outage' },
  });
  time.now += 1_800_000;
  await site.change('PATCH', `/components/${id}`, { status: 'under_maintenance' });
  time.now += 600_000;
  const rows = await rowsOf(site, `components/${id}`);
  assert.equal(
    rows.map(([, ...cells]) => cells),
    [
      ['10 min', 'Under maintenance (not counted)', 'an edit'],
      ['30 min', 'Major outage', 'Payments fail'],
      ['1 hr', 'Operational', 'creation of the component'],
    ],
  );
});

test('at most 100 intervals are listed, and the page says that there are older ones', async ({ site }) => {
  const { time } = site.service;
  const id = await site.component('Shop');
  for (let edit = 0; edit < 101; edit++) {
    time.now += 60_000;
    await site.change('PATCH', `/components/${id}`, { status: edit % 2 === 0 ? 'major_outage' : 'operational' });
  }
  time.now += 60_000;
  assert.is((await rowsOf(site, `components/${id}`)).length, 100);
  assert.match((await site.get(`components/${id}`)).text, 'Older intervals are not listed.');
});

test('a component that does not show its uptime does not show its intervals', async ({ site }) => {
  const id = await site.component('Shop', { showcase: false });
  assert.equal(await rowsOf(site, `components/${id}`), []);
});

test.run();
