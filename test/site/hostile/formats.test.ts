// Own process: this file renders every format of a page many times.
import { parse, walk } from 'css-tree';
import ICAL from 'ical.js';
import { SaxesParser } from 'saxes';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../../api/http.ts';
import { readXml } from '../pages/pictures-site.ts';
import { assertHarmlessHtml, isBelow } from './markup.ts';
import { everyPath, ROUNDS, SERVICE, startHostile, type HostileSite } from './site.ts';
import { HOSTILE_TEXTS } from './texts.ts';

const test = suite<{ hostile: HostileSite }>('hostile texts in every field of a status page');

test.before(async (context) => {
  context.hostile = await startHostile();
});
test.after(({ hostile }) => hostile.stop());

/**
 * Maximum number of fields, out of about thirty in each round, whose hostile text the API may reject: URLs, and fields
 * with special rules.
 */
const MOST_REFUSED = 15;

const DIRECTIVES: Readonly<Record<string, RegExp>> = {
  'default-src': /^'none'$/,
  'script-src': /^'(?:self|none)'$/,
  'style-src': /^'self'$/,
  'img-src': /^(?:'self'|data:|https:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?)$/,
  'font-src': /^'self'$/,
  'connect-src': /^'self'$/,
  'manifest-src': /^'self'$/,
  'form-action': /^'self'$/,
  'base-uri': /^'none'$/,
  'frame-ancestors': /^'none'$/,
};

/** Fails if the headers are not restrictive. @returns the origins from which their policy allows pictures */
const assertHarmlessHeaders = ({ headers }: Reply, label: string): string[] => {
  for (const [name, value] of Object.entries(headers))
    assert.match(String(value), /^[\x20-\x7e]*$/, `${label}: ${name}`);
  assert.is(headers['set-cookie'], undefined, label);
  assert.is(headers['x-content-type-options'], 'nosniff', label);
  const pictures: string[] = [];
  const names = new Set<string>();
  for (const directive of String(headers['content-security-policy']).split(';')) {
    const [name = '', ...sources] = directive.trim().split(' ');
    assert.not.ok(names.has(name), `${label}: ${name} twice`);
    names.add(name);
    for (const source of sources) assert.match(source, DIRECTIVES[name] ?? /^$/, `${label}: ${directive}`);
    if (name === 'img-src') pictures.push(...sources.filter((source) => source.startsWith('https:')));
  }
  assert.ok(names.has('default-src') && names.has('frame-ancestors'), label);
  return pictures;
};

const SVG_ELEMENTS =
  /^(?:svg|title|desc|g|rect|circle|path|text|tspan|line|polyline|clipPath|linearGradient|stop|mask|use|filter|fe[A-Z][A-Za-z]+)$/;

const assertHarmlessSvg = (text: string, label: string): void => {
  for (const { name, attributes } of readXml(text).elements) {
    assert.match(name, SVG_ELEMENTS, `${label}: ${name}`);
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.not.match(attribute, /^on|^style$/i, `${label}: ${attribute}`);
      if (/href$/.test(attribute)) assert.match(value, /^#/, label);
      assert.not.match(value, /url\((?!#)/, `${label}: ${value}`);
    }
  }
};

/**
 * Returns the texts of a feed that readers show as HTML: in Atom the texts of type `html`, in RSS the texts of items.
 */
const htmlInXml = (xml: string): string[] => {
  const open: { name: string; isHtml: boolean; text: string }[] = [];
  const found: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    open.push({
      name,
      isHtml:
        attributes['type'] === 'html' ||
        (/^(?:description|content:encoded)$/.test(name) && open.at(-1)?.name === 'item'),
      text: '',
    });
  });
  const add = (text: string): void => {
    const inner = open.at(-1);
    if (inner) inner.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const inner = open.pop();
    if (inner?.isHtml) found.push(inner.text);
  });
  parser.write(xml).close();
  return found;
};

/** Returns the HTML in a JSON feed (JSON Feed 1.1: Items). */
const htmlInJson = (value: unknown): string[] =>
  (value as { items: { content_html?: string }[] }).items.flatMap(({ content_html: html }) => html ?? []);

const ICS_LINE =
  /^(?:BEGIN|END|VERSION|PRODID|NAME|UID|SEQUENCE|DTSTAMP|DTSTART|DTEND|SUMMARY|DESCRIPTION|URL|STATUS|CREATED|LAST-MODIFIED|METHOD|CATEGORIES|TRANSP|CLASS|REFRESH-INTERVAL|X-[A-Z-]+)[;:]/;

const assertHarmlessCalendar = (text: string, label: string): void => {
  const component = new ICAL.Component(ICAL.parse(text) as unknown[]);
  assert.ok(component.getAllSubcomponents('vevent').length > 0, label);
  for (const line of text.split('\r\n').filter((one) => one !== '' && !/^[ \t]/.test(one))) {
    assert.match(line, ICS_LINE, label);
    assert.not.match(line, /[\r\n\u2028\u2029]/, label);
  }
};

const assertHarmlessCss = (text: string, label: string): void => {
  walk(parse(text), (node) => {
    assert.is.not(node.type, 'Url', label);
    if (node.type === 'Atrule') assert.is(node.name, 'media', label);
    if (node.type === 'Declaration')
      assert.not.match(node.property, /^(?:position|z-index|content|opacity|transform)$/);
  });
};

/** Fails if a response of a page is harmful. The inspection depends on the media type. */
const inspect = (reply: Reply, path: string, domain: string | null = null): void => {
  const label = `${path} (${reply.status})`;
  const pictures = assertHarmlessHeaders(reply, label);
  if (reply.status === 303) {
    assert.ok(
      isBelow(String(reply.headers.location), `/status/acme/${path}`),
      `${label}: ${String(reply.headers.location)}`,
    );
    return;
  }
  const type = String(reply.headers['content-type']).split(';')[0] ?? '';
  const allowed = {
    pictures,
    services: [SERVICE, ...(domain === null ? [] : [`https://${domain}`])],
    path: `/status/acme/${path.replace(/\?.*/, '')}`,
  };
  if (type === 'text/html') assertHarmlessHtml(reply.text, allowed);
  else if (type === 'image/svg+xml') assertHarmlessSvg(reply.text, label);
  else if (/[/+]xml$/.test(type)) {
    const { elements } = readXml(reply.text);
    assert.not.ok(
      elements.some(({ name }) => name === 'script' || name === 'x'),
      label,
    );
    for (const html of htmlInXml(reply.text)) assertHarmlessHtml(html, allowed);
  } else if (/[/+]json$/.test(type)) {
    const value = reply.json();
    if (path.endsWith('feed.json')) for (const html of htmlInJson(value)) assertHarmlessHtml(html, allowed);
  } else if (type === 'text/calendar') assertHarmlessCalendar(reply.text, label);
  else if (type === 'text/css') assertHarmlessCss(reply.text, label);
  else assert.match(type, /^(?:text\/javascript|text\/plain|image\/png)$/, label);
  if (type === 'text/plain')
    assert.match(reply.text, /^(?:Not found\.\n|(?:[A-Za-z-]+: [\x21-\x7e ]*\n?|\n)*)$/, label);
};

for (let round = 0; round < ROUNDS; round++)
  test(`hostile texts are harmless in every format, round ${round + 1} of ${ROUNDS}`, async ({ hostile }) => {
    const { site, ids, attack } = hostile;
    assert.ok((await attack(round)) <= MOST_REFUSED);
    const text = HOSTILE_TEXTS[round] ?? '';
    const { domain } = (await site.change('GET', '')) as { domain: string | null };
    const home = await site.get('', { accept: 'text/html' });
    assert.is(home.status, 200, home.text);
    const linked = [...home.text.matchAll(/href="([^"]+\.css\?[^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&').replace(/^\.\//, ''),
    );
    for (const path of [...everyPath(ids), ...linked, `incidents/${ids.incident}?page=2`]) {
      const reply = await site.get(path);
      assert.ok([200, 303, 400, 404].includes(reply.status), `${path}: ${reply.status} ${reply.text.slice(0, 300)}`);
      inspect(reply, path, domain);
    }
    for (const query of ['q', 'month', 'component', 'impact', 'range', 'lang', 'page']) {
      const path = `?${query}=${encodeURIComponent(text.slice(0, 500))}`;
      for (const page of ['', 'history', `groups/${ids.group}`])
        inspect(await site.get(page + path), page + path, domain);
    }
    for (const query of ['label', 'metric', 'style', 'lang']) {
      const path = `badge.svg?${query}=${encodeURIComponent(text.slice(0, 500))}`;
      inspect(await site.get(path), path, domain);
    }
    await site.change('PATCH', '', { domain: null });
  });

test('responses do not repeat hostile paths, cookies and hosts of their requests', async ({ hostile: { site } }) => {
  const evil = '"><script>alert("of-the-request")</script>';
  for (const path of [
    `incidents/${encodeURIComponent(evil)}`,
    `components/${encodeURIComponent(evil)}`,
    'incidents/..%2f..%2fv1',
    `assets/${encodeURIComponent(evil)}`,
  ])
    inspect(await site.get(path, { accept: 'text/html' }), path);
  for (const address of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:alert(1)',
    '../../v1',
  ])
    for (const form of ['access', 'sign-in'])
      inspect(await site.get(`${form}?return=${encodeURIComponent(address)}`, { accept: 'text/html' }), form);
  for (const headers of [
    {
      cookie: `uptrail-language=${encodeURIComponent(evil)}; uptrail-theme=${encodeURIComponent(evil)}; uptrail-zone=x`,
    },
    { 'x-forwarded-host': 'of-the-request.example', 'x-forwarded-proto': 'javascript', 'x-original-url': '/evil' },
    { 'accept-language': evil, referer: `https://evil.example/${evil}` },
  ]) {
    const reply = await site.get('history', { accept: 'text/html', ...(headers as Record<string, string>) });
    inspect(reply, 'history');
    assert.not.match(reply.text, 'of-the-request');
  }
});

test.run();
