import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unescapedText } from '../../domain/sealed.ts';
import {
  jsonArrayOf,
  streamedJsonOf,
  MAX_BUFFERED_CHARACTERS,
  contentOfJson,
  type StreamedJson,
} from '../../http/streamed-json.ts';
import type { Content } from '../../http/media/content.ts';

const test = suite('JSON bodies in parts');

const textOf = async (content: Content): Promise<string> => {
  if (typeof content !== 'function')
    return typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString();
  let text = '';
  for await (const part of content(new AbortController().signal)) text += String(part);
  return text;
};
const joined = async ({ parts }: StreamedJson): Promise<string> => {
  let text = '';
  for await (const part of parts()) text += part;
  return text;
};
const itemsOf = (values: readonly unknown[]) =>
  async function* () {
    yield* values;
  };
const LONG = Array.from({ length: 20 }, (_, index) => ({ id: index, text: 'x'.repeat(MAX_BUFFERED_CHARACTERS / 10) }));

const MANY = Array.from({ length: 150 }, (_, index) => (index % 2 === 0 ? index : { key: 'k', '\\sealed': 's' }));

test('a JSON body that is encoded in parts has the same bytes as one that is encoded as a whole', async () => {
  const sealed = { key: 'k', '\\sealed': 's' };
  const values: unknown[] = [
    [],
    {},
    { items: [] },
    { items: [1, null, 'two', { a: [sealed] }], pagination: { page: 1 }, left: undefined, 'a "name"': true },
    [1, [2, [3]], sealed, 'Zoë 🙂', undefined, null],
    [1, { id: 1, many: MANY, sealed }, [MANY], { key: 'k', '\\sealed': 's', many: MANY }, { many: MANY }],
    sealed,
    { key: 'k', '\\sealed': 's', more: [1] },
    'text',
    null,
    7,
  ];
  for (const value of values) assert.is(await joined(streamedJsonOf(value)), unescapedText(value));
  for (const value of values) {
    if (!Array.isArray(value) || value.includes(undefined)) continue;
    assert.is(await joined(jsonArrayOf(itemsOf(value), async () => '')), unescapedText(value));
  }
});

test('a long array inside of an array is encoded item by item, so that no part takes long', async () => {
  let parts = 0;
  for await (const part of streamedJsonOf([{ many: MANY }, { many: [1, 2] }]).parts()) {
    assert.ok(part.length < 100, part);
    parts += 1;
  }
  assert.ok(parts > 150);
});

test('a short JSON body is sent as text with its hash as ETag', async () => {
  const body = jsonArrayOf(itemsOf([1, 2]), () => Promise.reject(new Error('not needed')));
  assert.equal(await contentOfJson(body, '"something"'), { content: '[1,2]' });
});

test('a long JSON body is streamed with its version as ETag, and the version is read before the streamed items', async () => {
  const readParts: string[] = [];
  const body = jsonArrayOf(
    async function* () {
      readParts.push('items');
      yield* LONG;
    },
    async () => {
      readParts.push('version');
      return 'one';
    },
  );
  const { content, tag = '' } = await contentOfJson(body, undefined);
  assert.match(tag, /^W\/"~.{27}"$/);
  assert.is(await textOf(content), JSON.stringify(LONG));
  assert.equal(readParts, ['items', 'version', 'items']);
});

test('a JSON body is not generated if the client already has its current version', async () => {
  let made = 0;
  let version = 'one';
  const body = jsonArrayOf(
    async function* () {
      made += 1;
      yield* LONG;
    },
    async () => version,
  );
  const { tag = '' } = await contentOfJson(body, undefined);
  made = 0;
  assert.is((await contentOfJson(body, tag)).tag, tag);
  assert.is(made, 0);
  version = 'two';
  const changed = await contentOfJson(body, tag);
  assert.is.not(changed.tag, tag);
  assert.is(made, 1);
});

test('the version of an in-memory value is computed from its content', async () => {
  const one = await contentOfJson(streamedJsonOf({ items: LONG }), undefined);
  const same = await contentOfJson(streamedJsonOf({ items: [...LONG] }), undefined);
  const other = await contentOfJson(streamedJsonOf({ items: LONG.slice(1) }), undefined);
  assert.is(one.tag, same.tag);
  assert.is.not(one.tag, other.tag);
  assert.is(await textOf(one.content), JSON.stringify({ items: LONG }));
});

test.run();
