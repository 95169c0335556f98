import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { consoleTypes, typeOf } from './console-types.ts';

const test = suite('types generated from the OpenAPI document');

test('a generated type describes the values of its schema', () => {
  assert.is(typeOf({ type: 'string', maxLength: 5 }), 'string');
  assert.is(typeOf({ type: ['integer', 'null'] }), 'number | null');
  assert.is(typeOf({ type: 'string', enum: ['up', 'down'] }), '"up" | "down"');
  assert.is(typeOf({ const: true }), 'true');
  assert.is(typeOf({ anyOf: [{ $ref: '#/components/schemas/Check' }, { type: 'null' }] }), 'Schemas["Check"] | null');
  assert.is(typeOf({ type: 'array', items: { type: 'string' } }), 'readonly (string)[]');
  assert.is(
    typeOf({ type: 'object', required: ['a'], properties: { a: { type: 'number' }, 'b-c': { type: 'boolean' } } }),
    '{ a: number; "b-c"?: boolean }',
  );
  assert.is(typeOf({ type: 'object', patternProperties: { '^(.*)$': { type: 'string' } } }), 'Record<string, string>');
  assert.is(typeOf({ description: 'anything' }), 'unknown');
  assert.is(typeOf({ type: 'object', properties: { a: {} }, allOf: [{ if: {}, then: {} }] }), '({ a?: unknown })');
});

test('the generation of a type fails if its schema has an unknown keyword', () => {
  assert.throws(() => typeOf({ $dynamicRef: '#a' }), /There is no type for the keywords \$dynamicRef/);
  assert.throws(() => typeOf({ type: 'date' }), /There is no type for the schema type date/);
});

test('the generated types of an operation describe its request and its successful responses, except the 202 response of a late read model', () => {
  const operation = {
    parameters: [
      { name: 'check_id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'page', in: 'query', schema: { type: 'integer' } },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      200: { content: { 'application/json': { schema: { type: 'string' } } } },
      202: { $ref: '#/components/responses/Late' },
      204: {},
      404: { content: { 'application/json': { schema: { type: 'boolean' } } } },
    },
  };
  const document = { paths: { '/v1/checks/{check_id}': { put: operation } }, components: { schemas: {} } };
  assert.match(
    consoleTypes(JSON.stringify(document)),
    '"PUT /v1/checks/{check_id}": { request: { params: { check_id: string }; query?: { page?: number }; ' +
      'body: Record<string, unknown> }; answer: string | undefined };',
  );
});

test.run();
