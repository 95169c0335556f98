import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOSTILE, startPicturesSite, type PicturesSite } from './pictures-site.ts';

const test = suite<{ site: PicturesSite }>('embedding a page in other sites');

const ALLOWED = 'https://shop.example';

test.before.each(async (context) => {
  context.site = await startPicturesSite({ allow_embedding: [ALLOWED] });
});
test.after.each(({ site }) => site.stop());

interface Answer {
  banner: { text: string; detail: string; color: string; dark: string } | null;
  url: string;
}
const incident = (name: string): object => ({
  name,
  status: 'investigating',
  body: 'We look into it.',
  components: {},
});

test('the embed script is small, does not depend on the visitor, and can be loaded by other origins', async ({
  site,
}) => {
  const { status, headers, bytes, text } = await site.get('/embed.js', { 'accept-encoding': 'identity' });
  assert.equal([status, headers.get('content-type')], [200, 'text/javascript; charset=utf-8']);
  assert.ok(bytes.length <= 3 * 1024, `${bytes.length} bytes`);
  assert.is(headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.match(headers.get('cache-control') ?? '', /^public, max-age=60\b/);
  assert.not.match(text, /innerHTML|insertAdjacentHTML|eval\(|document\.write/);
  assert.is(
    (await site.get('/embed.js', { 'if-none-match': headers.get('etag') ?? '', 'accept-encoding': 'identity' })).status,
    304,
  );
});

test('the banner has content only while there is a problem, and only for origins that the page allows', async ({
  site,
}) => {
  const bannerFor = async (origin: string) => {
    const { headers, text } = await site.get('/embed.json', { origin });
    return {
      readable: headers.get('access-control-allow-origin'),
      vary: headers.get('vary'),
      ...(JSON.parse(text) as Answer),
    };
  };
  assert.equal(await bannerFor(ALLOWED), {
    ...{ readable: ALLOWED, vary: 'Accept-Encoding, Origin', banner: null, url: './' },
    words: { details: 'Details', close: 'Close' },
  });
  for (const origin of ['https://evil.example', 'null', `${ALLOWED}.evil.example`, 'http://shop.example'])
    assert.is((await bannerFor(origin)).readable, null, origin);
  await site.post('/components', { name: 'API', status: 'major_outage' });
  assert.equal((await bannerFor(ALLOWED)).banner, {
    ...{ text: 'Major system outage', detail: 'API', color: '#b3131b', dark: '#f0554f' },
  });
  await site.post('/incidents', incident('Database down'));
  assert.is((await bannerFor(ALLOWED)).banner?.detail, 'Database down');
});

test('only the origins that a page allows can embed it in a frame', async ({ site }) => {
  const policyOf = async (path: string) => {
    const { headers } = await site.get(path);
    return headers.get('content-security-policy') ?? '';
  };
  assert.match(await policyOf('/embed'), `frame-ancestors ${ALLOWED}`);
  // X-Frame-Options can't name origins, so the header is left out if the page allows any origin.
  assert.match(await policyOf(''), `frame-ancestors ${ALLOWED}`);
  await site.patch('', { allow_embedding: [] });
  assert.match(await policyOf('/embed'), "frame-ancestors 'none'");
  await site.patch('', { allow_embedding: null });
  assert.match(await policyOf('/embed'), "frame-ancestors 'none'");
  assert.is((await site.get('/embed.json', { origin: ALLOWED })).headers.get('access-control-allow-origin'), null);
});

test('the embeddable page shows the status in the requested language and theme', async ({ site }) => {
  await site.post('/incidents', incident('Slow search'));
  const { text } = await site.get('/embed?lang=de&theme=dark');
  assert.match(text, '<html lang="de" dir="ltr" data-theme="dark">');
  assert.match(text, 'Alle Systeme in Betrieb');
  assert.match(text, '<bdi>Slow search</bdi>');
  assert.match(text, 'noindex');
  const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
  assert.is((await fetch(new URL(stylesheet, `${site.root}/embed`))).status, 200);
});

test('names are escaped in every embedded format', async ({ site }) => {
  for (const hostile of HOSTILE) {
    const name = hostile.slice(0, 100);
    const { id } = await site.post('/incidents', incident(name));
    assert.is((JSON.parse((await site.get('/embed.json')).text) as Answer).banner?.detail.includes(name), true);
    const { text } = await site.get('/embed');
    assert.not.match(text, /<script|<image|<svg onload/);
    await site.patch(`/incidents/${id}`, { status: 'resolved' });
  }
});

test.run();
