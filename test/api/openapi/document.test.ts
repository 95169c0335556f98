import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HTTP_URL_PATTERN } from '../../../http/http-url.ts';
import { openApi } from '../../../api/openapi/document.ts';
import { created, ok, route, type Route } from '../../../api/route.ts';
import { choice, httpUrl, Id, instantIn, namedSchema, nullable } from '../../../api/schema.ts';

const test = suite('the OpenAPI document');

const Owner = namedSchema('Owner', Type.Object({ name: Type.String() }));
const Note = namedSchema(
  'Note',
  Type.Object({
    id: Id,
    color: nullable(choice(['red', 'blue'])),
    link: Type.Optional(httpUrl(200)),
    owner: nullable(Owner),
  }),
);
const routes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/notes/{note_id}',
    summary: 'Read a note',
    tag: 'Notes',
    access: { needs: 'pages.read' },
    params: Type.Object({ note_id: Id }),
    query: Type.Object({ since: Type.Optional(instantIn()) }),
    responses: { 200: Note },
    handle: () => ok(() => ({})),
  }),
  route({
    methods: ['post'],
    path: '/v1/notes',
    summary: 'Write a note',
    tag: 'Notes',
    access: { needs: 'pages.write' },
    body: Type.Object({ remind_at: instantIn(), color: Type.Union([Type.Literal('red'), Type.Literal('blue')]) }),
    responses: { 201: Note },
    handle: () => created('/v1/notes/1', '1', () => ({})),
  }),
];

interface Operation {
  parameters: { name: string; in: string; required?: boolean; schema: unknown }[];
  requestBody: {
    required: boolean;
    content: { 'application/json': { schema: { properties: Record<string, unknown> } } };
  };
  responses: Record<string, { content?: { 'application/json': { schema: unknown } } }>;
}
const document = openApi(routes) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
};
const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`${method} ${path} is not in the document.`);
  return found;
};

test('parameters of path and query are in the document', () => {
  const { parameters } = operation('/v1/notes/{note_id}', 'get');
  assert.equal(
    parameters.map(({ name, in: location, required }) => [name, location, required ?? false]),
    [
      ['note_id', 'path', true],
      ['since', 'query', false],
    ],
  );
});

test('named schemas become referenced components, combined with null where they are nullable', () => {
  const { content } = operation('/v1/notes/{note_id}', 'get').responses['200'] ?? {};
  assert.equal(content?.['application/json'].schema, { $ref: '#/components/schemas/Note' });
  assert.equal(document.components.schemas['Note']?.properties['owner'], {
    anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }],
  });
});

test('custom keywords are omitted, and unions of string literals become enums', () => {
  const text = JSON.stringify(document);
  for (const word of ['"check":', '"sentence":', '"instant":', '"http-url"', '"const":']) assert.not.match(text, word);
  const { properties } = operation('/v1/notes', 'post').requestBody.content['application/json'].schema;
  assert.equal(properties['color'], { type: 'string', enum: ['red', 'blue'] });
  assert.equal(document.components.schemas['Note']?.properties['link'], {
    type: 'string',
    format: 'iri',
    pattern: HTTP_URL_PATTERN,
    maxLength: 200,
    examples: ['https://example.com/'],
  });
});

test('the error message of a rule and the roles of an operation are in the document', () => {
  const [{ schema } = { schema: null }] = operation('/v1/notes/{note_id}', 'get').parameters;
  assert.is((schema as Record<string, unknown>)['x-rule'], 'Must be an identifier.');
  assert.equal((operation('/v1/notes', 'post') as unknown as Record<string, unknown>)['x-roles'], ['editor', 'admin']);
});

test('bodies and responses have examples in the document', () => {
  const { requestBody, responses } = operation('/v1/notes', 'post') as unknown as Record<string, never>;
  const content = { 'application/json': { example: { remind_at: '2026-11-20T15:04:05Z', color: 'red' } } };
  assert.match(JSON.stringify(requestBody), JSON.stringify(content['application/json'].example));
  assert.match(JSON.stringify(responses), '"example":{"id":');
});

test('errors are declared for each operation, and 202 for each write', () => {
  const read = Object.keys(operation('/v1/notes/{note_id}', 'get').responses);
  const write = Object.keys(operation('/v1/notes', 'post').responses);
  assert.equal(read, ['200', '304', '400', '401', '403', '404', '406', '429', '503', 'default']);
  assert.equal(write, ['201', '202', '400', '401', '403', '406', '409', '413', '415', '422', '429', '503', 'default']);
});

test('a public route with an optional key declares 401 and 403', () => {
  const reading = (key: 'optional' | null) =>
    route({
      methods: ['get'],
      path: '/v1/notes',
      summary: 'Notes for all',
      tag: 'Notes',
      access: { public: { tenant: null, ...(key && { key }) } },
      responses: { 200: Note },
      handle: () => ok(() => null),
    });
  const refused = (key: 'optional' | null): string[] => {
    const answers = (openApi([reading(key)]) as typeof document).paths['/v1/notes']?.['get']?.responses ?? {};
    return Object.keys(answers).filter((status) => status === '401' || status === '403');
  };
  assert.equal(refused('optional'), ['401', '403']);
  assert.equal(refused(null), []);
});

test('every write declares the Idempotency-Key, regardless of its method', () => {
  const changing = route({
    methods: ['put', 'patch', 'delete'],
    path: '/v1/notes/{note_id}',
    summary: 'Change a note',
    tag: 'Notes',
    access: { needs: 'pages.write' },
    responses: { 200: Note },
    handle: () => ok(() => ({})),
  });
  const { paths } = openApi([...routes, changing]) as typeof document;
  const taking = Object.values(paths).flatMap((operations) =>
    Object.entries(operations)
      .filter(([, { parameters }]) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(([method]) => method),
  );
  assert.equal(taking.sort(), ['delete', 'patch', 'post', 'put']);
  const { responses = {} } = paths['/v1/notes/{note_id}']?.['delete'] ?? {};
  for (const status of ['409', '413', '415', '422']) assert.ok(status in responses, status);
});

test('two different schemas with the same title are refused', () => {
  const other = route({
    methods: ['get'],
    path: '/v1/others',
    summary: 'Read another',
    tag: 'Notes',
    access: { needs: 'pages.read' },
    responses: { 200: namedSchema('Note', Type.Object({ title: Type.String() })) },
    handle: () => ok(() => ({})),
  });
  assert.throws(() => openApi([...routes, other]), 'Two different schemas have the title Note.');
});

test.run();
