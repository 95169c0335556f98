import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OpenApi } from '../../../site/docs/openapi.ts';
import { createReference } from '../../../site/docs/reference.ts';
import { assertWellFormedHtml } from '../html-assertions.ts';

const test = suite('the API documentation from the OpenAPI document');

const HOSTILE = `"><img src=x onerror=alert(1)>'</code></pre><script>alert(1)</script>`;

const documentOf = (text: string): OpenApi => ({
  paths: {
    '/v1/notes/{note_id}': {
      post: {
        operationId: 'x',
        summary: `Write ${text}`,
        tags: ['Notes'],
        'x-roles': [text],
        parameters: [
          { name: 'note_id', in: 'path', required: true, example: text, schema: { type: 'string', description: text } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: [text],
                properties: {
                  [text]: { type: 'string', enum: [text], default: text, 'x-rule': text, description: text },
                },
              },
              example: { [text]: text },
            },
          },
        },
        responses: {
          201: {
            description: text,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' }, example: { a: text } } },
          },
        },
      },
    },
  },
  components: { schemas: { Note: { type: 'object', properties: { a: { type: 'string', description: text } } } } },
});

const pageOf = async (document: OpenApi): Promise<string> => {
  const page = await createReference({ tags: ['Notes'], document: () => document }).page('notes');
  assert.ok(page);
  return gunzipSync(await page.bytes('gzip')).toString();
};

test('the API documentation escapes every text of the OpenAPI document', async () => {
  const html = await pageOf(documentOf(HOSTILE));
  assertWellFormedHtml(html);
  assert.not.match(html, '<img');
  assert.not.match(html, '<script>');
});

test('a page of the API documentation is rendered when first requested, and only once', async () => {
  const read: string[] = [];
  const reference = createReference({
    tags: ['Notes', 'Others'],
    document: (tag) => {
      read.push(tag);
      return documentOf('text');
    },
  });
  assert.equal(read, []);
  await Promise.all([reference.page('notes'), reference.page('notes')]);
  await reference.page('');
  assert.is(await reference.page('nothing'), null);
  assert.equal(read, ['Notes']);
});

test('the API documentation reads all topics when it is first searched, and only once', async () => {
  const read: string[] = [];
  const reference = createReference({
    tags: ['Notes'],
    document: (tag) => {
      read.push(tag);
      return documentOf('text');
    },
  });
  const [hits] = await Promise.all([reference.search('notes'), reference.search('notes')]);
  assert.is(hits[0]?.call?.path, '/v1/notes/{note_id}');
  assert.equal(read, ['Notes']);
});

test.run();
