import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJson } from '../../../http/media/json-body.ts';

const test = suite('JSON bodies');

const parsed = (...parts: (string | number[])[]) =>
  parseJson(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))));

test('a byte order mark at the start of a JSON body is ignored', () => {
  assert.equal(parsed('\uFEFF{"name":"a"}').value, { name: 'a' });
  assert.equal(parsed([0xef, 0xbb, 0xbf]).value, {});
});

test('a JSON body with a second byte order mark, or with one at its end, is refused', () => {
  assert.throws(() => parsed('\uFEFF\uFEFF{}'), 'The body is not valid JSON.');
  assert.throws(() => parsed('{}\uFEFF'), 'The body is not valid JSON.');
  assert.equal(parsed('{"name":"\uFEFFa"}').value, { name: '\uFEFFa' });
});

test('a JSON body must be UTF-8, so byte order marks of other encodings are refused', () => {
  assert.throws(() => parsed([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), 'The body is not valid UTF-8.');
});

test.run();
