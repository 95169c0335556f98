import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite, type PublishedSite } from '../pages/published-site.ts';

const test = suite<{ site: PublishedSite }>('the theme and the custom rules of a status page');

test.before.each(async (context) => {
  context.site = await startPublishedSite({
    css_body_background_color: '#fff8e7',
    css_greens: '#0a7a3a',
    css_reds: '.card { border-radius: 0; position: fixed } @import "https://evil.example/x.css";',
  });
});
test.after.each(({ site }) => site.stop());

/** Returns the URLs of a page's stylesheets, relative to the root of the page. */
const stylesheetsOf = (html: string): string[] =>
  [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) =>
    href.replace(/^(?:\.\.?\/)+/, '').replaceAll('&amp;', '&'),
  );

test('a page links to its theme and custom rules after the stylesheet that all pages share', async ({ site }) => {
  const { text } = await site.get('', { accept: 'text/html' });
  const [status, theme = '', custom = ''] = stylesheetsOf(text);
  assert.match(String(status), /^assets\/status-/);
  const colours = await site.get(theme);
  assert.equal([colours.status, colours.headers['content-type']], [200, 'text/css; charset=utf-8']);
  assert.match(colours.text, /:root:root:root\{--bg:#fff8e7;/);
  assert.match(colours.text, /--operational-fill:#0a7a3a;/);
  assert.is((await site.get(custom)).text, '.status-page .card{border-radius:0}\n');
  const history = await site.get('history', { accept: 'text/html' });
  const [own, colors, details, rules] = stylesheetsOf(history.text);
  assert.equal([own, colors, rules], [status, theme, custom]);
  assert.match(String(details), /^assets\/details-/);
});

test('browsers can cache the theme and custom rules of a page permanently, because their URLs change with the content', async ({
  site,
}) => {
  const before = stylesheetsOf((await site.get('')).text);
  for (const address of before.slice(1)) {
    const reply = await site.get(address);
    assert.is(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
    const outdated = await site.get(address.replace(/v=.*/, 'v=other'));
    assert.not.match(String(outdated.headers['cache-control']), 'immutable');
  }
  await site.change('PATCH', '', { css_font_color: '#402000', css_reds: '.card { padding: 0 }' });
  const after = stylesheetsOf((await site.get('')).text);
  assert.is(before[0], after[0]);
  assert.is.not(before[1], after[1]);
  assert.is.not(before[2], after[2]);
});

test('the theme of a page is public, and its custom rules are only for visitors with access to the page', async ({
  site,
}) => {
  const [, theme = '', custom = ''] = stylesheetsOf((await site.get('')).text);
  await site.change('PATCH', '', { viewers_must_be_team_members: true });
  assert.is((await site.get(theme)).status, 200);
  assert.is((await site.get(custom)).status, 401);
  await site.change('PATCH', '', { viewers_must_be_team_members: false, ip_restrictions: '127.0.0.1' });
  const reply = await site.get(custom);
  assert.equal([reply.status, reply.headers['cache-control']], [200, 'private, no-cache']);
});

test('the stylesheet of a theme depends only on the colours in its URL', async ({ site }) => {
  for (const colors of ['', 'red', '%7D%7D', '-'.repeat(17), `${'-'.repeat(16)}%0A`]) {
    const reply = await site.get(`theme.css?colors=${colors}`);
    assert.is(reply.status, 400, colors);
  }
  assert.is((await site.get(`theme.css?colors=${'-'.repeat(16)}`)).status, 200);
});

test('a page without colours and custom rules does not link to their stylesheets', async ({ site }) => {
  await site.change('PATCH', '', { css_body_background_color: null, css_greens: null, css_reds: null });
  assert.is(stylesheetsOf((await site.get('')).text).length, 1);
  assert.equal((await site.get('custom.css')).text, '');
});

test('pages with forms for an address, a password or an account use the theme of the page, but not its custom rules', async ({
  site,
}) => {
  const assertForm = async (path: string): Promise<void> => {
    const { text } = await site.get(path, { accept: 'text/html' });
    assert.match(text, /<form[^>]*method="post"/);
    assert.match(text, /<input[^>]*type="(?:email|password)"/);
    const names = stylesheetsOf(text).map((one) => one.split('?')[0]);
    assert.ok(names.includes('theme.css'), path);
    assert.not.ok(names.includes('custom.css'), path);
  };
  await assertForm('subscribe');
  const [, theme = '', custom = ''] = stylesheetsOf((await site.get('', { accept: 'text/html' })).text);
  await site.change('PATCH', '', { viewers_must_be_team_members: true });
  await assertForm('');
  await site.change('PATCH', '', { viewers_must_be_team_members: false });
  await site.change('POST', '/passwords', { name: 'Customers', password: 'a long password of theirs' });
  await assertForm('');
  assert.equal([(await site.get(theme)).status, (await site.get(custom)).status], [200, 401]);
});

test.run();
