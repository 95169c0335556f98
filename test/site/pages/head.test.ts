import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderToString } from 'preact-render-to-string';
import { socialHead, type HeadSubject, type HeadVisit } from '../../../site/pages/head.ts';
import { HOSTILE, readXml } from './pictures-site.ts';

const test = suite('the head of a page');

const visit = (page: object = {}, more: Partial<HeadVisit> = {}): HeadVisit => ({
  page: {
    ...{ name: 'Acme', page_description: 'All that Acme runs', language: 'en', url: 'https://acme.example' },
    ...{ allow_rss_atom_feeds: true, favicon_logo: null },
    ...page,
  } as HeadVisit['page'],
  root: '../',
  choices: { language: 'en', zone: 'local', theme: 'auto' },
  address: 'https://status.acme.example',
  ...more,
});

const rendered = (visitor: HeadVisit, subject: HeadSubject) => {
  const html = renderToString(socialHead(visitor, subject));
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const { elements, names } = readXml(`<head>${html.replace(json, '')}</head>`);
  const meta = (name: string): string | undefined =>
    elements.find(({ attributes }) => (attributes['property'] ?? attributes['name']) === name)?.attributes['content'];
  const links = (rel: string): string[] =>
    elements.filter(({ attributes }) => attributes['rel'] === rel).map(({ attributes }) => attributes['href'] ?? '');
  return { html, names, meta, links, data: JSON.parse(json) as Record<string, unknown> };
};

test('the head of a page contains its URL, card, icon and feeds', () => {
  const { meta, links, data } = rendered(visit(), {
    path: 'incidents/x',
    about: { kind: 'incident', id: 'x', name: 'Checkout fails' },
    title: 'Checkout fails',
    card: 'incidents/x/card.png',
    article: { published: '2026-11-20T15:00:00Z', modified: '2026-11-20T16:00:00Z' },
  });
  assert.equal(links('canonical'), ['https://status.acme.example/incidents/x']);
  assert.is(meta('og:image'), 'https://status.acme.example/incidents/x/card.png');
  assert.equal([meta('twitter:card'), meta('og:title')], ['summary_large_image', 'Checkout fails']);
  assert.is(meta('og:description'), 'All that Acme runs');
  assert.equal(links('icon'), ['../favicon.svg']);
  assert.equal(links('manifest'), ['../manifest.webmanifest']);
  assert.ok(links('alternate').includes('../history.atom'));
  assert.is(links('alternate')[0], '../incidents/x/history.atom', 'its own feeds come first');
  assert.equal(
    [data['@type'], data['headline'], data['datePublished']],
    ['Article', 'Checkout fails', '2026-11-20T15:00:00Z'],
  );
});

test('the head of a page omits absolute URLs if the public URL is unknown, and feeds if they are disabled', () => {
  const { meta, links, data } = rendered(visit({ allow_rss_atom_feeds: false }, { address: '/status/acme' }), {
    path: '',
  });
  assert.equal(links('canonical'), []);
  assert.equal([meta('og:image'), meta('og:url'), data['url']], [undefined, undefined, undefined]);
  assert.not(links('alternate').some((href) => href.endsWith('.atom')));
});

test("the head of a page links to the operator's own icon, over https only", () => {
  assert.equal(rendered(visit({ favicon_logo: 'https://cdn.example/i.png' }), { path: '' }).links('icon'), [
    'https://cdn.example/i.png',
  ]);
  for (const favicon_logo of ['javascript:alert(1)', 'http://cdn.example/i.png', 'data:image/svg+xml,x'])
    assert.equal(rendered(visit({ favicon_logo }), { path: '' }).links('icon'), ['../favicon.svg']);
});

test('the URL of a card contains the language of the visitor', () => {
  const choices = { language: 'de', zone: 'local', theme: 'auto' } as const;
  const { meta } = rendered(visit({}, { choices }), { path: '' });
  assert.is(meta('og:image'), 'https://status.acme.example/card.png?lang=de');
});

test('no text in the head of a page can break out of its attribute or structured data', () => {
  const expected = rendered(visit(), { path: '' }).names;
  for (const name of [...HOSTILE, '<!--<script>', '\u2028</SCRIPT >']) {
    const { names, data, html } = rendered(visit({ name, page_description: name }), { path: '', title: name });
    assert.equal(names, expected);
    assert.is(data['name'], name);
    assert.is(html.match(/<\/script/gi)?.length, 1);
  }
});

test.run();
