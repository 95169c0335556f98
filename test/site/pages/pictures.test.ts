import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inflateSync } from 'node:zlib';
import { plainPng } from '../../../messages/cards/plain-png.ts';
import { STATE_COLOURS } from '../../../messages/state-colours.ts';
import { HOSTILE, readXml, startPicturesSite, type PicturesSite } from './pictures-site.ts';

const test = suite<{ site: PicturesSite }>('cards and icons of pages');

test.before.each(async (context) => {
  context.site = await startPicturesSite();
});
test.after.each(({ site }) => site.stop());

/** Returns the size of a PNG, and the number of different bytes in its lines. */
const readPng = (png: Uint8Array) => {
  const bytes = Buffer.from(png);
  assert.is(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const lines = inflateSync(Buffer.concat(data));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), variety: new Set(lines).size };
};

test('the card of a page shows its state, and is cached while the state is unchanged', async ({ site }) => {
  const { status, headers, bytes } = await site.get('/card.png');
  assert.equal([status, headers.get('content-type')], [200, 'image/png']);
  assert.is(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.match(headers.get('cache-control') ?? '', /^public, max-age=60\b/);
  const { width, height, variety } = readPng(bytes);
  assert.equal([width, height], [1200, 630]);
  assert.ok(variety > 50, 'there are letters on it');
  assert.ok((await site.get('/card.png')).bytes.equals(bytes));
  assert.is((await site.get('/card.png', { 'if-none-match': headers.get('etag') ?? '' })).status, 304);
  await site.post('/components', { name: 'API', status: 'major_outage' });
  assert.not((await site.get('/card.png')).bytes.equals(bytes));
  const german = await site.get('/card.png?lang=de');
  assert.not(german.bytes.equals((await site.get('/card.png')).bytes));
});

test('an incident has a separate card; unknown incidents and incidents of other pages have none', async ({ site }) => {
  const { id } = await site.post('/incidents', {
    name: 'Checkout fails',
    status: 'investigating',
    body: 'We look into it.',
    components: {},
  });
  const { status, bytes } = await site.get(`/incidents/${id}/card.png`);
  assert.is(status, 200);
  assert.is(readPng(bytes).width, 1200);
  assert.is((await site.get('/incidents/nothing00001/card.png')).status, 404);
  const other = await site.service.request('POST', '/v1/pages', { body: { name: 'Other' } });
  const { subdomain } = other.json() as { subdomain: string };
  const foreign = await fetch(`${site.origin}/status/${subdomain}/incidents/${id}/card.png`);
  assert.is(foreign.status, 404);
});

test('the card of a page has the same size for any name of the page', async ({ site }) => {
  for (const name of HOSTILE) {
    await site.patch('', { name: name.slice(0, 100), language: 'ar' });
    const { status, bytes } = await site.get('/card.png');
    assert.is(status, 200);
    assert.equal([readPng(bytes).width, readPng(bytes).height], [1200, 630]);
  }
});

test('the icon of a page shows its state with different shapes and colours', async ({ site }) => {
  const { id } = await site.post('/components', { name: 'API' });
  const seen = new Set<string>();
  for (const [status, { fill }] of Object.entries(STATE_COLOURS)) {
    await site.patch(`/components/${id}`, { status });
    const { headers, text } = await site.get('/favicon.svg');
    assert.is(headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    const { elements } = readXml(text);
    assert.ok(elements.some(({ attributes }) => attributes['fill'] === fill));
    seen.add(elements.map(({ attributes }) => attributes['d'] ?? '').join());
  }
  assert.is(seen.size, 5, 'each state has its own sign');
});

test('the substitute picture for a card has the size of a card', () => {
  const { width, height, variety } = readPng(plainPng('major_outage'));
  assert.equal([width, height, variety], [1200, 630, 2]);
});

test.run();
