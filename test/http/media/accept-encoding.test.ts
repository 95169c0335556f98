import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { negotiateEncoding } from '../../../http/media/accept-encoding.ts';

const test = suite('content encodings');

test('the best content encoding that the client accepts is chosen', () => {
  assert.is(negotiateEncoding('gzip, deflate, br, zstd'), 'br');
  assert.is(negotiateEncoding('gzip;q=1.0, identity; q=0.5'), 'gzip');
  assert.is(negotiateEncoding('GZIP'), 'gzip');
});

test('no content encoding is used if the client accepts no supported encoding or sends no Accept-Encoding header', () => {
  for (const accepted of [undefined, '', 'identity', 'deflate', 'br;q=0, gzip; q=0.0'])
    assert.is(negotiateEncoding(accepted), null, accepted);
});

test.run();
