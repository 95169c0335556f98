import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodingOf } from '../../../http/media/encoding.ts';

const test = suite('the encoding of an answer');

test('is the best that the client takes', () => {
  assert.is(encodingOf('gzip, deflate, br, zstd'), 'br');
  assert.is(encodingOf('gzip;q=1.0, identity; q=0.5'), 'gzip');
  assert.is(encodingOf('GZIP'), 'gzip');
});

test('is none where the client takes none of ours, refuses it, or does not say', () => {
  for (const accepted of [undefined, '', 'identity', 'deflate', 'br;q=0, gzip; q=0.0'])
    assert.is(encodingOf(accepted), null, accepted);
});

test.run();
