import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compressResponse, MIN_COMPRESSED_BYTES } from '../../../http/media/compression.ts';
import { ok, type RouteResponse } from '../../../http/routes/route.ts';

const test = suite('compressed responses');

const LONG = 'Everything is operational. '.repeat(100);

const sentWith = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] });

const bodyOf = async (answer: RouteResponse): Promise<unknown> => answer.body?.();

test('a response is compressed with the best encoding that the client accepts, and has a Vary header', async () => {
  const brotli = await compressResponse(
    ok(() => LONG),
    sentWith({ 'accept-encoding': 'gzip, br' }),
  );
  assert.equal(brotli.headers, { Vary: 'Accept-Encoding', 'Content-Encoding': 'br' });
  assert.is(brotliDecompressSync((await bodyOf(brotli)) as Buffer).toString(), LONG);

  const gzip = await compressResponse(
    { ...ok(() => LONG), headers: { Vary: 'Accept' } },
    sentWith({ 'accept-encoding': 'gzip' }),
  );
  assert.equal(gzip.headers, { Vary: 'Accept, Accept-Encoding', 'Content-Encoding': 'gzip' });
  assert.is(gunzipSync((await bodyOf(gzip)) as Buffer).toString(), LONG);
});

test('a compressed response has the same weak ETag in every encoding', async () => {
  const tags = ['br', 'gzip', 'identity'].map(
    async (encoding) =>
      (
        await compressResponse(
          ok(() => LONG),
          sentWith({ 'accept-encoding': encoding }),
        )
      ).tag ?? '',
  );
  const [one = '', ...others] = await Promise.all(tags);
  assert.match(one, /^W\/"[^"]{27}"$/);
  for (const other of others) assert.is(other, one);
});

test('a response is not compressed if it is short, if the client accepts no encoding, or if it is 304', async () => {
  const short = 'x'.repeat(MIN_COMPRESSED_BYTES - 1);
  const few = await compressResponse(
    ok(() => short),
    sentWith({ 'accept-encoding': 'br' }),
  );
  assert.is(await bodyOf(few), short);
  const plain = await compressResponse(
    ok(() => LONG),
    sentWith({}),
  );
  assert.equal([await bodyOf(plain), plain.headers], [LONG, { Vary: 'Accept-Encoding' }]);
  const known = await compressResponse(
    ok(() => LONG),
    sentWith({ 'accept-encoding': 'br', 'if-none-match': `"other", ${plain.tag ?? ''}` }),
  );
  assert.is(await bodyOf(known), LONG, 'which is not sent: the answer is 304');
});

test('compression does not change an existing ETag or the content', async () => {
  const tagged = await compressResponse({ ...ok(() => LONG), tag: '"1"' }, sentWith({ 'accept-encoding': 'br' }));
  assert.is(tagged.tag, '"1"');
  const bytes = Buffer.from(LONG);
  const answer = await compressResponse(
    ok(() => bytes),
    sentWith({ 'accept-encoding': 'br' }),
  );
  assert.equal([await bodyOf(answer), answer.headers], [bytes, undefined]);
});

test.run();
