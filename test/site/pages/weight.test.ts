import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite, type PublishedSite } from './published-site.ts';
import { DAY_MS } from '../../../domain/time.ts';

const test = suite<{ site: PublishedSite }>('the weight of a status page');

test.before.each(async (context) => {
  context.site = await startPublishedSite();
});
test.after.each(({ site }) => site.stop());

const KIB = 1_024;
const COMPONENTS = 50;
/** Number of incidents in the last 90 days. Each affects five components, so 180 of 4,500 component days are bad. */
const INCIDENTS = 36;

/** Adds fifty components and the incidents to a page, so that 4 % of all days are bad. */
const fill = async (site: PublishedSite): Promise<void> => {
  const { now } = site.service.time;
  const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
  const components: string[] = [];
  for (let index = 0; index < COMPONENTS; index++)
    components.push(await site.component(`Service ${index}`, { start_date: '2026-01-01' }));
  for (let index = 0; index < INCIDENTS; index++) {
    const start = now - (1 + index * 2.4) * DAY_MS;
    const named = Array.from({ length: 5 }, (_, nth) => components[(index * 5 + nth) % COMPONENTS] ?? '');
    const all = (status: string) => Object.fromEntries(named.map((id) => [id, status]));
    await site.change('POST', '/incidents/log-past-incident', {
      name: `Incident ${index}`,
      impact: 'major',
      incident_updates: [
        {
          status: 'investigating',
          body: 'We are looking into errors of several services.',
          created_at: at(start),
          components: all(index % 2 === 0 ? 'partial_outage' : 'major_outage'),
        },
        {
          status: 'resolved',
          body: 'A deployment was rolled back.',
          created_at: at(start + DAY_MS / 24),
          components: all('operational'),
        },
      ],
    });
  }
};

const attributes = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = '']) => value);

test('a page with 50 components and 4 % bad days in 90 days has less than 60 KiB of HTML and CSS', async ({ site }) => {
  await fill(site);
  const { text: html } = await site.get('');
  assert.is(attributes(html, /<use href="#b-(?:partial|major)" (x)=/g).length, INCIDENTS * 5, 'all bad days are drawn');
  const [stylesheet = ''] = attributes(html, /<link rel="stylesheet" href="[^"]*?(assets\/[^"]+)"/g);
  const { status, text: css } = await site.get(stylesheet);
  assert.is(status, 200);
  const weight = Buffer.byteLength(html) + Buffer.byteLength(css);
  assert.ok(weight < 60 * KIB, `${Buffer.byteLength(html)} bytes of HTML, ${Buffer.byteLength(css)} of CSS`);
});

test('a page has less than 15 KiB of scripts, and only stylesheets block its rendering', async ({ site }) => {
  const component = await site.component('Shop', { start_date: '2026-01-01' });
  const { id } = await site.incident({ components: { [component]: 'major_outage' } });
  for (const path of ['', `incidents/${String(id)}`, `components/${component}`, 'history']) {
    const { text: html } = await site.get(path);
    assert.is(html.match(/<link rel="stylesheet"/g)?.length, path === '' ? 1 : 2, path);
    const scripts = (html.match(/<script\b[^>]*>/g) ?? []).filter((tag) => !tag.includes('application/ld+json'));
    for (const tag of scripts) assert.match(tag, /^<script src="[^"]+" defer>$/);
    const sizes = await Promise.all(
      attributes(html, /<script src="[^"]*?(assets\/[^"]+)"/g).map(async (address) => {
        const { status, text } = await site.get(address);
        assert.is(status, 200);
        return Buffer.byteLength(text);
      }),
    );
    assert.is(sizes.length, scripts.length);
    const weight = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(weight < 15 * KIB, `${path}: ${weight} bytes of scripts`);
    assert.not.match(html, /<style|\sstyle=|\son[a-z]+=|javascript:/i);
  }
});

test.run();
