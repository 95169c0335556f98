import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast, type Colour } from '../../../messages/colours.ts';
import { STATE_COLOURS } from '../../../messages/state-colours.ts';
import { uptimeText } from '../../../messages/uptime-text.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { HOSTILE, readXml, startPicturesSite, type PicturesSite } from './pictures-site.ts';

const test = suite<{ site: PicturesSite }>('badges');

test.before.each(async (context) => {
  context.site = await startPicturesSite();
});
test.after.each(({ site }) => site.stop());

const titleOf = (svg: string): string => /<title>(.*)<\/title>/.exec(svg)?.[1] ?? '';

test('the badge of a page shows the worst state of its visible components', async ({ site }) => {
  assert.is(titleOf((await site.get('/badge.svg')).text), 'Shop: All systems operational');
  const api = await site.post('/components', { name: 'API', status: 'partial_outage' });
  await site.post('/components', { name: 'Spare', only_show_if_degraded: true });
  const { status, headers, text } = await site.get('/badge.svg');
  assert.equal([status, titleOf(text)], [200, 'Shop: Partial system outage']);
  assert.is(headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  assert.is(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.match(headers.get('cache-control') ?? '', /^public, max-age=60\b/);
  assert.ok(readXml(text).elements.some(({ attributes }) => attributes['fill'] === STATE_COLOURS.partial_outage.text));
  const again = await site.get('/badge.svg', { 'if-none-match': headers.get('etag') ?? '' });
  assert.is(again.status, 304);
  assert.is(titleOf((await site.get(`/components/${api.id}/badge.svg`)).text), 'API: Partial outage');
});

test('badge texts are in the language of the page or of ?lang=, regardless of cookies', async ({ site }) => {
  const { text } = await site.get('/badge.svg?lang=de', { cookie: 'uptrail-language=ru' });
  assert.is(titleOf(text), 'Shop: Alle Systeme in Betrieb');
  const plain = await site.get('/badge.svg', { cookie: 'uptrail-language=ru' });
  assert.is(titleOf(plain.text), 'Shop: All systems operational');
  const uptime = await site.get('/badge.svg?metric=uptime&lang=de');
  assert.is(titleOf(uptime.text), 'Verfügbarkeit, 90 Tage: keine Daten');
});

test('hidden components have no badge, and components without showcase have no uptime badge', async ({ site }) => {
  const spare = await site.post('/components', { name: 'Spare', only_show_if_degraded: true });
  assert.is((await site.get(`/components/${spare.id}/badge.svg`)).status, 404);
  await site.patch(`/components/${spare.id}`, { status: 'degraded_performance', showcase: false });
  assert.is(titleOf((await site.get(`/components/${spare.id}/badge.svg`)).text), 'Spare: Degraded performance');
  assert.is((await site.get(`/components/${spare.id}/badge.svg?metric=uptime`)).status, 404);
  assert.is(titleOf((await site.get('/badge.svg?metric=uptime')).text), 'uptime, 90 days: no data');
});

test('an uptime badge never shows 100 % after an outage', async ({ site }) => {
  const { id } = await site.post('/components', { name: 'API', start_date: '2026-09-01' });
  const path = `/components/${id}/badge.svg?metric=uptime`;
  assert.is(titleOf((await site.get(path)).text), 'uptime, 90 days: 100 %');
  await site.patch(`/components/${id}`, { status: 'major_outage' });
  site.service.time.now += 20_000;
  await site.patch(`/components/${id}`, { status: 'operational' });
  assert.is(titleOf((await site.get(path)).text), 'uptime, 90 days: 99.99 %');
  assert.is(titleOf((await site.get('/badge.svg?metric=uptime&style=plastic')).text), 'uptime, 90 days: 99.99 %');
  assert.is(uptimeText({ uptime_percentage: 99.5, major_outage: 1, partial_outage: 0 }, 'de'), '99,50\u00a0%');
});

test('a component has a response time badge if it shows response times and names a check', async ({ site }) => {
  const { service } = site;
  const check = { name: 'API', type: 'web', url: 'https://shop.example/', interval: 60 };
  const { id: check_id } = (await service.request('POST', '/v1/checks', { body: check })).json() as { id: string };
  const result = resultOf(check_id, service.time.now - 60_000, {
    organization_id: service.first.id,
    response_time: 142,
  });
  const { position } = await service.stores.results.append('check_results-1', [result], 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  const { id } = await site.post('/components', { name: 'API', check_id });
  const path = `/components/${id}/badge.svg?metric=response_time`;
  assert.is((await site.get(path)).status, 404);
  await site.patch(`/components/${id}`, { show_response_times: true });
  assert.is(titleOf((await site.get(path)).text), 'response time, 24 h: 142 ms');
  assert.is((await site.get('/badge.svg?metric=response_time')).status, 404, 'a page has none');
});

test('error responses to requests for badges are badges', async ({ site }) => {
  for (const query of ['metric=cpu', 'style=neon', 'metric=state&metric=uptime', `metric=${'x'.repeat(500)}`]) {
    const { status, headers, text } = await site.get(`/badge.svg?${query}`);
    assert.equal([status, headers.get('content-type')], [400, 'image/svg+xml; charset=utf-8'], query);
    assert.ok(readXml(text).names.includes('svg'));
  }
  assert.is(
    titleOf((await site.get('/badge.svg?metric=cpu')).text),
    '400: metric must be one of state, uptime, response_time',
  );
  for (const path of ['/components/nothing00001/badge.svg', '/components/%3Csvg%3E/badge.svg']) {
    const { status, text } = await site.get(path);
    assert.equal([status, titleOf(text)], [404, '404: Not Found']);
  }
});

test('the badge of a page with restricted access must not be stored in shared caches', async ({ site }) => {
  await site.patch('', { ip_restrictions: '127.0.0.1', hidden_from_search: true });
  const { headers } = await site.get('/badge.svg');
  assert.is(headers.get('cache-control'), 'private, no-cache');
  assert.is(headers.get('x-robots-tag'), 'noindex, nofollow');
  await site.patch('', { ip_restrictions: '192.0.2.1' });
  assert.is((await site.get('/badge.svg')).status, 404);
});

test('no text can break out of its badge, in any style', async ({ site }) => {
  for (const hostile of HOSTILE) {
    const { id } = await site.post('/components', { name: hostile.slice(0, 100) });
    for (const style of ['flat', 'flat-square', 'plastic', 'for-the-badge', 'social']) {
      const label = encodeURIComponent(hostile);
      for (const query of [`style=${style}`, `style=${style}&label=${label}`]) {
        const { status, text } = await site.get(`/components/${id}/badge.svg?${query}`);
        assert.is(status, 200);
        const { names, elements } = readXml(text);
        assert.not(
          names.some((name) => ['script', 'image', 'foreignObject', 'a'].includes(name)),
          text,
        );
        assert.is(names.filter((name) => name === 'svg').length, 1);
        const attributes = elements.flatMap((element) => Object.keys(element.attributes));
        assert.not(
          attributes.some((name) => /^on|href/.test(name)),
          text,
        );
        assert.ok(text.length < 4_000, 'no label makes it large');
      }
    }
  }
});

test('badge texts are readable on each background colour', () => {
  for (const { text, fill, tint } of Object.values(STATE_COLOURS)) {
    const white: Colour = '#ffffff';
    assert.ok(contrast(white, text) >= 4.5);
    assert.ok(contrast(tint, text) >= 4.5);
    assert.ok(contrast(white, fill) >= 3);
    assert.ok(contrast(tint, fill) >= 3);
  }
});

test.run();
