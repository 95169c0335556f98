import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DocsSearchResult } from '../../../views/docs/model.ts';
import { request, type Reply } from '../../api/http.ts';
import { startService } from '../../api/service.ts';
import { eventually } from '../../waiting.ts';
import { assertWellFormedHtml } from '../html-assertions.ts';
import { BROWSER } from '../subscribed-site.ts';

const test = suite('the search in the API documentation');

const service = await startService();
test.after(() => service.stop());

const ask = (query: string, accept = BROWSER): Promise<Reply> =>
  request(service.port, { path: `/docs/search?${new URLSearchParams({ q: query }).toString()}`, headers: { accept } });
// The first request makes the documentation and its index. On a busy machine the response can be 503.
test.before(async () => {
  await eventually(async () => (await ask('retry')).status === 200);
});

const found = async (query: string): Promise<string[]> => {
  const { hits } = (await ask(query, 'application/json')).json() as { hits: DocsSearchResult[] };
  return hits.map(({ topic, anchor }) => `${topic.name}#${anchor}`);
};

test('the documentation search finds operations by title, path and method', async () => {
  assert.is((await found('create incident'))[0], 'incidents#create-incident');
  assert.is((await found('/v1/pages/{page_id}/password-hints'))[0], 'page-passwords#list-password-hints');
  assert.ok((await found('delete heartbeat')).includes('heartbeats#delete-heartbeat'));
});

test('the documentation search finds operations by the names of their fields', async () => {
  assert.ok((await found('recovery_confirmations')).includes('alerts#create-rule'));
  assert.ok((await found('search_text')).includes('checks#create-check'));
});

test('the documentation search finds sections of the overview, and lists an object only once if several topics use it', async () => {
  assert.ok((await found('retry')).includes('#idempotency'));
  const objects = (await found('object-pagination-by')).concat(await found('paginationbyperpage'));
  assert.is(objects.filter((hit) => hit.endsWith('#object-pagination-by-per-page')).length, 1);
});

test('the documentation search requires all words, ignores case, and ranks headings first', async () => {
  assert.equal(await found('incident nowherefound'), []);
  assert.equal(await found('CREATE Incident'), await found('create incident'));
  const hits = await found('postmortem');
  assert.match(hits[0] ?? '', /^postmortems#/);
});

test('the documentation search works as a page without a script', async () => {
  const { status, text } = await ask('create incident');
  assert.is(status, 200);
  assertWellFormedHtml(text);
  assert.match(text, 'href="../docs/incidents#create-incident"');
  assert.match(text, 'value="create incident"');
  assert.match(text, '<meta name="robots" content="noindex, nofollow"');
});

test('the documentation search shows a message if there are no results, and an explanation for an empty query', async () => {
  assert.match((await ask('nowherefound')).text, 'No results.');
  assert.match((await ask('')).text, 'Enter a word');
  const without = await request(service.port, { path: '/docs/search', headers: { accept: BROWSER } });
  assert.is(without.status, 200);
});

test('the documentation search escapes the query', async () => {
  const { text } = await ask('"><script>alert(1)</script>');
  assertWellFormedHtml(text);
  assert.not.match(text, '<script>alert');
});

test('the documentation search truncates long queries', async () => {
  const { status, text } = await ask('x'.repeat(5_000));
  assert.is(status, 200);
  assert.ok(text.length < 20_000);
});

test.run();
