import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';

const test = suite('previews of pages');
const service = await startService();
const { first, second, request, stores } = service;
test.after(() => service.stop());

const created = async (path: string, body: object): Promise<string> => {
  const reply = await request('POST', path, { body });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  return (reply.json() as { id: string }).id;
};
const shown = async (id: string, body: object, key?: string): Promise<string> => {
  const reply = await request('POST', `/v1/pages/${id}/preview`, { body, ...(key !== undefined && { key }) });
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { html: string }).html;
};
const stylesIn = (html: string): string =>
  [...html.matchAll(/href="data:text\/css;charset=utf-8;base64,([^"]*)"/g)]
    .map(([, text = '']) => Buffer.from(text, 'base64').toString())
    .join('\n');
const length = async (): Promise<number> => (await stores.main.readAll({ after: 0n, limit: 100_000 })).length;

test('the preview of a page uses unsaved fields and inline styles, and contains no script', async () => {
  const id = await created('/v1/pages', { name: 'Acme', subdomain: 'acme' });
  await created(`/v1/pages/${id}/components`, { name: 'Checkout' });
  const before = await length();
  const html = await shown(id, {
    headline: 'How are <b>we</b>?',
    template: 'compact',
    css_link_color: '#aa0000',
    css_greens: '.card { border-radius: 0 } </style><script>alert(1)</script>',
  });
  assert.match(html, 'How are &lt;b>we&lt;/b>?');
  assert.match(html, 'Checkout');
  assert.match(html, 'template-compact');
  assert.not.match(html, '<script');
  assert.match(stylesIn(html), '--accent:#aa0000');
  assert.match(stylesIn(html), '.status-page');
  assert.is(await length(), before);
  const stored = await shown(id, {});
  assert.not.match(stored, 'How are');
  assert.match(stored, 'template-default');
});

test('a preview of a page is refused with the same errors as a change of the page, and needs permission to read the page', async () => {
  const id = await created('/v1/pages', { name: 'Bravo' });
  const reply = await request('POST', `/v1/pages/${id}/preview`, { body: { css_link_color: 'red', time_zone: 'x' } });
  assert.is(reply.status, 422);
  assert.equal(Object.keys((reply.json() as { errors: { json: object } }).errors.json).sort(), [
    'css_link_color',
    'time_zone',
  ]);
  assert.match(await shown(id, { name: 'Charlie' }, first.keys.viewer), 'Charlie');
  const foreign = await request('POST', `/v1/pages/${id}/preview`, { body: {}, key: second.keys.admin });
  assert.is(foreign.status, 404);
});

test.run();
