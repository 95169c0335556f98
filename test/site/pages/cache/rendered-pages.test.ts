import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../../../http/errors.ts';
import type { PageDocument } from '../../../../projections/pages/documents.ts';
import { createRenderedPages, MAX_AGE_MS } from '../../../../site/pages/cache/rendered-pages.ts';
import { fakeClock } from '../../../network/fake-clock.ts';

const test = suite('the cache of rendered responses');

const page = (id: string): PageDocument => ({ id }) as PageDocument;

const caching = (mostBytes?: number) => {
  const clock = fakeClock(0);
  const state = { versions: new Map<string, string>(), following: 0, rendered: 0 };
  const rendered = createRenderedPages(
    {
      follow: () => {
        state.following += 1;
        return () => (state.following -= 1);
      },
      versionOf: async ({ id }) => ({
        parts: { page: '', components: '', incidents: '' },
        positions: '',
        token: `${id}/${state.versions.get(id) ?? ''}`,
      }),
    },
    clock,
    mostBytes,
  );
  const of = async (id: string, key = '', text = (count: number) => `${id} ${key} ${count}`) =>
    Buffer.from(
      (await (await rendered.of(page(id), key, () => text((state.rendered += 1)), null)).body(null)).bytes,
    ).toString();
  return { clock, state, rendered, of };
};

test("rendered responses are cached by page and key until the page's version changes", async () => {
  const { state, of } = caching();
  assert.equal([await of('a'), await of('a'), await of('a', 'x'), await of('b')], ['a  1', 'a  1', 'a x 2', 'b  3']);
  state.versions.set('b', '2');
  assert.equal([await of('a'), await of('b'), await of('a', 'x')], ['a  1', 'b  4', 'a x 2']);
});

test('concurrent requests for a response render it once', async () => {
  const { state, rendered } = caching();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const make = async (): Promise<string> => {
    state.rendered += 1;
    await released;
    return 'text';
  };
  const requests = [1, 2, 3].map(() => rendered.of(page('a'), '', make, null));
  release();
  await Promise.all(requests);
  assert.is(state.rendered, 1);
});

test('a response is rendered again after a failure', async () => {
  const { of } = caching();
  const fail = (): string => {
    throw new Error('no');
  };
  assert.is(await of('a', '', fail).catch((error: unknown) => (error as Error).message), 'no');
  assert.is(await of('a'), 'a  2');
});

test('a rendered response is cached for a minute, and the versions of its page are not tracked afterwards', async () => {
  const { clock, state, of } = caching();
  await of('a');
  await clock.advance(MAX_AGE_MS - 1);
  assert.is(await of('a'), 'a  1');
  await clock.advance(1);
  assert.is(await of('a'), 'a  2');
  assert.is(state.following, 1);
  await clock.advance(2 * MAX_AGE_MS);
  assert.equal([state.following, clock.pending()], [0, 0]);
  assert.is(await of('a'), 'a  3');
});

test('the total size of rendered responses in all encodings is limited', async () => {
  const { state, rendered, of } = caching(20_000);
  const long = () => `${state.rendered} ${'long '.repeat(1_000)}`;
  for (const id of ['a', 'b', 'c', 'd']) await of(id, '', long);
  assert.is(state.rendered, 4);
  await of('d', '', long);
  assert.is(state.rendered, 4);
  await of('a', '', long);
  assert.is(state.rendered, 5);
  const compressed = await rendered.of(page('a'), '', long, null);
  const first = (await compressed.body('br')).bytes;
  assert.ok(first.length < 1_000);
  assert.is((await (await rendered.of(page('a'), '', long, null)).body('br')).bytes, first);
});

test('a client that has exceeded its quota gets only cached responses, and other clients are not affected', async () => {
  const { clock, rendered, of } = caching();
  const long = (): string => 'x'.repeat(8 * 1_048_576);
  const request = (key: string, client: string) => rendered.of(page('a'), key, long, client);
  for (let variant = 0; variant < 8; variant++) await request(variant.toString(), 'greedy');
  const refused = await request('other', 'greedy').catch((error: unknown) => error);
  assert.instance(refused, HttpError);
  assert.is((refused as HttpError).status, 429);
  await request('7', 'greedy');
  await request('other', 'another');
  await of('a', 'the service itself');
  await clock.advance(1_000);
  await request('one more', 'greedy');
});

test('the compressed forms of a response are reused if rendering it again gives the same result', async () => {
  const { state, rendered } = caching();
  const make = () => 'the same '.repeat(1_000);
  const { bytes } = await (await rendered.of(page('a'), '', make, null)).body('gzip');
  state.versions.set('a', '2');
  assert.is((await (await rendered.of(page('a'), '', make, null)).body('gzip')).bytes, bytes);
});

test.run();
