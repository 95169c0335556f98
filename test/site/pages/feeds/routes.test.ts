import RssParser from 'rss-parser';
import { SaxesParser } from 'saxes';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FEED_FILES } from '../../../../site/pages/feeds/files.ts';
import { wordsFor } from '../../../../messages/words/index.ts';
import { startPublishedSite, type PublishedSite } from '../published-site.ts';

const test = suite<{ site: PublishedSite }>('the feeds of a status page');

test.before.each(async (context) => {
  context.site = await startPublishedSite();
});
test.after.each(({ site }) => site.stop());

interface Item {
  title: string;
  id: string;
  link: string;
  html: string;
  /** date of the entry in ISO 8601 format */
  at: string;
}

/** Parses a feed as a feed reader does. @throws Error if the text is not well-formed */
const itemsIn = async (text: string): Promise<Item[]> => {
  if (text.startsWith('{')) {
    const { items } = JSON.parse(text) as {
      items: { id: string; title: string; url: string; content_html: string; date_modified: string }[];
    };
    return items.map(({ id, title, url: link, content_html: html, date_modified: at }) => ({
      id,
      title,
      link,
      html,
      at,
    }));
  }
  new SaxesParser({ xmlns: true }).write(text).close();
  const { items } = await new RssParser().parseString(text);
  return items.map((item) => ({
    title: item.title ?? '',
    id: item.guid ?? (item as { id?: string }).id ?? '',
    link: item.link ?? '',
    html: (item['content:encoded'] as string | undefined) ?? item.content ?? '',
    at: item.isoDate ?? '',
  }));
};

const read = async (site: PublishedSite, file: string): Promise<Item[]> => {
  const { status, text } = await site.get(file);
  assert.is(status, 200, text);
  return itemsIn(text);
};

/** By file, the date that the parser returns for an entry that was published at 15:00 and changed at 15:10. */
const LAST_DATES: Readonly<Record<string, string>> = {
  // The parser returns `published` for an Atom entry, although the entry also contains `updated`.
  'history.atom': '2026-11-20T15:00:00.123Z',
  'history.rss': '2026-11-20T15:10:00.000Z',
  'feed.json': '2026-11-20T15:10:00.123Z',
};

const HISTORY = ['history.atom', 'history.rss', 'feed.json'];
const UPDATES = ['updates.atom', 'updates.rss'];

const unescapedOf = (title: string): string =>
  title.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test('the history feed has one entry for each incident, and the entry changes with each update', async ({ site }) => {
  const { id } = await site.incident({ body: 'We *look* into it.' });
  site.pass(600);
  await site.update(id, { status: 'resolved', body: 'Fixed.' });
  for (const file of HISTORY) {
    const [item, ...others] = await read(site, file);
    assert.equal(others, []);
    assert.equal(
      [item?.title, item?.link, item?.at],
      ['Checkout fails', `https://status.example.org/status/acme/incidents/${String(id)}`, LAST_DATES[file]],
      file,
    );
    assert.match(item?.html ?? '', /Resolved<\/strong>.*16:10 CET[^]*Fixed\.[^]*Investigating[^]*<em>look<\/em>/);
  }
  const { text } = await site.get('history.atom');
  assert.is(text.split('<updated>2026-11-20T15:10:00.123Z</updated>').length, 3, 'of the feed and of its entry');
});

test('the updates feed has an entry for each update, and the times of entries differ even if updates are made within a second', async ({
  site,
}) => {
  const { id } = await site.incident();
  for (const body of ['one', 'two', 'three']) await site.update(id, { status: 'identified', body });
  site.pass(60);
  await site.incident({ name: 'Search is slow' });
  for (const file of UPDATES) {
    const items = await read(site, file);
    assert.equal(
      items.map(({ title }) => title),
      [
        'Search is slow – Investigating',
        ...Array<string>(3).fill('Checkout fails – Identified'),
        'Checkout fails – Investigating',
      ],
    );
    assert.equal(
      items.map(({ at }) => at.slice(11, 19)),
      ['15:01:00', '15:00:03', '15:00:02', '15:00:01', '15:00:00'],
    );
    assert.match(items[1]?.html ?? '', 'three');
    assert.is(new Set(items.map((item) => item.id)).size, items.length);
  }
});

test('feeds contain the automatic start and end of a maintenance, and published postmortems but no drafts', async ({
  site,
}) => {
  const shop = await site.component('Shop');
  const { id } = await site.incident({
    name: 'Upgrade',
    status: 'scheduled',
    components: { [shop]: 'under_maintenance' },
    scheduled_for: '2026-11-20T16:00:00Z',
    scheduled_until: '2026-11-20T17:00:00Z',
  });
  site.pass(60);
  await site.change('PATCH', `/incidents/${String(id)}`, { status: 'in_progress' });
  const titles = async () => (await read(site, 'updates.rss')).map(({ title }) => title);
  assert.equal(await titles(), ['Upgrade – In progress', 'Upgrade – Scheduled']);
  const [, scheduled] = await read(site, 'updates.rss');
  assert.match(scheduled?.html ?? '', 'Affected components: Shop</p>');
  assert.match((await read(site, 'history.rss'))[0]?.html ?? '', 'Scheduled for: Nov 20, 2026, 17:00 – 18:00 CET');
  const { id: incident } = await site.incident({ name: 'Outage' });
  site.pass(60);
  await site.update(incident, { status: 'resolved', body: 'Fixed.' });
  await site.change('PUT', `/incidents/${String(incident)}/postmortem`, { body_draft: 'A disk was full.' });
  for (const { name } of FEED_FILES) assert.not.match((await site.get(name)).text, 'A disk was full');
  site.pass(60);
  await site.change('PUT', `/incidents/${String(incident)}/postmortem/publish`, {});
  const [postmortem] = await read(site, 'updates.rss');
  assert.equal([postmortem?.title, postmortem?.at], ['Outage – Postmortem', '2026-11-20T15:03:00.000Z']);
  assert.match(postmortem?.html ?? '', 'A disk was full.');
});

test('feeds exist for each component, group and incident', async ({ site }) => {
  const group = await site.group('Storefront');
  const shop = await site.component('Shop', { group_id: group });
  const cart = await site.component('Cart', { group_id: group });
  const api = await site.component('API');
  await site.incident({ name: 'shop', components: { [shop]: 'major_outage' } });
  site.pass(1);
  await site.incident({ name: 'both', components: { [shop]: 'major_outage', [cart]: 'major_outage' } });
  site.pass(1);
  const { id } = await site.incident({ name: 'api', components: { [api]: 'degraded_performance' } });
  const titles = async (folder: string, file: string) =>
    (await read(site, `${folder}/${file}`)).map(({ title }) => title.split(' – ')[0]);
  for (const file of [...HISTORY, ...UPDATES]) {
    assert.equal(await titles(`components/${cart}`, file), ['both']);
    assert.equal(await titles(`components/${shop}`, file), ['both', 'shop']);
    assert.equal(await titles(`groups/${group}`, file), ['both', 'shop']);
    assert.equal(await titles(`incidents/${String(id)}`, file), ['api']);
    for (const wrong of [`components/${group}`, `groups/${shop}`, 'components/none', 'incidents/none'])
      assert.is((await site.get(`${wrong}/${file}`)).status, 404, wrong);
  }
  const { text } = await site.get(`components/${cart}/history.atom`);
  assert.match(text, '<title>Acme – Cart – Incidents and maintenance</title>');
  assert.match(text, `rel="self" href="https://status.example.org/status/acme/components/${cart}/history.atom"`);
});

test('feeds are byte-identical while nothing changes, and are not sent again', async ({ site }) => {
  await site.incident();
  for (const { name, type } of FEED_FILES) {
    site.pass(60);
    const first = await site.get(name);
    assert.is(first.headers['content-type'], type.contentType);
    assert.match(first.headers['cache-control'] ?? '', /^max-age=10, public/);
    site.pass(86_400);
    assert.is((await site.get(name)).text, first.text);
    const { etag = '', 'last-modified': modified = '' } = first.headers;
    assert.is(modified, 'Fri, 20 Nov 2026 15:00:00 GMT');
    for (const known of [{ 'if-none-match': etag }, { 'if-modified-since': modified }])
      assert.is((await site.get(name, known)).status, 304);
    const older = { 'if-modified-since': 'Fri, 20 Nov 2026 14:00:00 GMT' };
    assert.is((await site.get(name, older)).status, 200);
  }
});

test('feeds have no Last-Modified header for two seconds after a change, because another change could follow', async ({
  site,
}) => {
  await site.incident();
  assert.is((await site.get('history.rss')).headers['last-modified'], undefined);
});

test('the pages of components, groups and incidents link to their feeds', async ({ site }) => {
  const shop = await site.component('Shop');
  const { id } = await site.incident({ components: { [shop]: 'major_outage' } });
  for (const path of [`incidents/${String(id)}`, `components/${shop}`]) {
    const { text } = await site.get(path, { accept: 'text/html' });
    const links = [...text.matchAll(/<link rel="alternate"[^>]*>/g)].map(([link]) => /href="([^"]+)"/.exec(link)?.[1]);
    const named = links.map((href) => new URL(href ?? '', `http://localhost/status/acme/${path}`).pathname);
    assert.ok(named.includes(`/status/acme/${path}/updates.rss`), path);
    assert.ok(named.includes('/status/acme/feed.json'));
    for (const file of named) assert.is((await site.get(file.slice('/status/acme/'.length))).status, 200, file);
  }
});

test('feeds are 404 as soon as the page disables them', async ({ site }) => {
  const { id } = await site.incident();
  await site.change('PATCH', '', { allow_rss_atom_feeds: false });
  for (const { name } of FEED_FILES) {
    assert.is((await site.get(name)).status, 404);
    assert.is((await site.get(`incidents/${String(id)}/${name}`)).status, 404);
  }
  assert.is((await site.get('maintenance.ics')).status, 200, 'the calendar is no feed');
});

test('feeds contain nothing that was deleted or withheld, or that belongs to another page', async ({ site }) => {
  const shop = await site.component('Shop');
  const { id } = await site.incident({ name: 'Deleted one', components: { [shop]: 'major_outage' } });
  const remaining = await site.incident({ name: 'Kept', body: 'secret words' });
  const { incident_updates: updates } = (await site.change('GET', `/incidents/${String(remaining['id'])}`)) as {
    incident_updates: [{ id: string }];
  };
  const withhold = `/v1/pages/${site.pageId}/incidents/${String(remaining['id'])}/incident_updates/${updates[0].id}/withhold`;
  await site.service.request('POST', withhold, { key: site.service.first.keys.admin });
  await site.change('DELETE', `/incidents/${String(id)}`);
  for (const { name } of FEED_FILES) {
    const { text } = await site.get(name);
    assert.not.match(text, /Deleted one|secret words/);
    assert.match(text, 'Kept');
    assert.equal(await read(site, `components/${shop}/${name}`), []);
    assert.is((await site.get(`incidents/${String(id)}/${name}`)).status, 404);
  }
});

test('feeds contain hostile texts as text, in every field', async ({ site }) => {
  const hostile = `]]>]]><script>alert(1)</script>&amp;&lt;b&gt;"'\u0007\ufffe <?xml?> <!-- ]]>`;
  await site.change('PATCH', '', { name: hostile.slice(0, 90), page_description: hostile });
  const shop = await site.component(hostile.slice(0, 60));
  await site.incident({
    name: hostile,
    body: `${hostile}\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)>`,
    components: { [shop]: 'major_outage' },
  });
  const seen = ']]>]]><script>alert(1)</script>&amp;&lt;b&gt;"\' <?xml?> <!-- ]]>';
  for (const folder of ['', `components/${shop}/`]) {
    for (const { name } of FEED_FILES) {
      const { text } = await site.get(`${folder}${name}`);
      const [item, ...others] = await itemsIn(text);
      assert.equal(others, [], name);
      const title = (item?.title ?? '').split(' – ')[0] ?? '';
      if (name.endsWith('.atom'))
        assert.is(unescapedOf(title).replaceAll('&#39;', "'").replaceAll('&quot;', '"'), seen, name);
      else assert.is(title, name.endsWith('.rss') ? seen.replaceAll(']]>', ']] >') : seen, name);
      assert.not.match(item?.html ?? '', /<script|<img|href="javascript/);
      assert.match(item?.html ?? '', '&lt;script&gt;');
    }
  }
});

test('feeds are limited to a mebibyte and fifty entries by leaving out the oldest entries', async ({ site }) => {
  const { id } = await site.incident({ name: 'Long' });
  const body = 'word <b> '.repeat(2_700);
  for (let at = 0; at < 55; at++) {
    site.pass(1);
    await site.update(id, { status: 'identified', body: `Number ${at}. ${body}` });
  }
  for (const { name } of FEED_FILES) {
    const { text } = await site.get(name);
    assert.ok(Buffer.byteLength(text) < 1_048_576, `${name}: ${Buffer.byteLength(text)}`);
    assert.match(text, 'Number 54.');
    assert.not.match(text, 'Number 0.');
  }
  assert.match((await site.get('history.rss')).text, 'Earlier updates are on the status page.');
});

test('feeds are in the language of the page', async ({ site }) => {
  await site.change('PATCH', '', { language: 'de' });
  await site.incident();
  const words = wordsFor('de');
  const { text } = await site.get('history.rss', { 'accept-language': 'fr', cookie: 'uptrail-language=es' });
  assert.match(text, '<language>de</language>');
  assert.match(text, 'Acme – Störungen und Wartungen');
  assert.match(text, words.incidentStatus.investigating);
});

test.run();
