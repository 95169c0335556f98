import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_BODY_BYTES } from '../../../http/body.ts';
import { foldInMemory } from '../../../projections/engine/in-memory.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { Document, ReadStore } from '../../../stores/read-store/port.ts';
import { inProject } from '../../project.ts';
import { COSTLY, largestIncidents } from '../../projections/incidents/largest-incidents.ts';
import { recorded } from '../../projections/history.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  maxLength?: number;
  pattern?: string;
  format?: string;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: { content?: Record<string, { schema?: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

/**
 * Maximum length of a text whose schema has a pattern or a format, such as a time or a colour, but no maximum length.
 */
const SHORT = 200;

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns the largest value of a schema, with the characters that take most bytes. */
const largestOf = (schema: Schema, schemas: OpenApi['components']['schemas']): unknown => {
  const inner = (one: Schema): unknown => largestOf(one, schemas);
  if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const choices = schema.enum ?? (schema.anyOf ?? schema.oneOf)?.map(inner);
  if (choices) return choices.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a), null);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner)) as unknown;
  if (schema.const !== undefined) return schema.const;
  const types = [schema.type ?? []].flat();
  if (types.includes('object')) {
    const { properties = {} } = schema;
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)]));
  }
  if (types.includes('array')) {
    const one = inner(schema.items ?? {});
    const most = Math.floor(MAX_BODY_BYTES / (sizeOf(one) + 1));
    return Array.from({ length: Math.max(1, Math.min(schema.maxItems ?? most, most)) }, () => one);
  }
  if (types.includes('string')) {
    const short = schema.pattern !== undefined || schema.format !== undefined ? SHORT : null;
    return COSTLY.repeat(schema.maxLength ?? short ?? MAX_BODY_BYTES / 6);
  }
  return 0;
};

/**
 * Returns the largest API inputs. Each field has its maximum size, and a text without a limit is as large as a whole
 * request. A single request can not contain all fields at these sizes, but several requests together can.
 */
const largestBodies = (): Document[] => {
  const { paths, components } = JSON.parse(readFileSync(inProject('docs/reference/openapi.json'), 'utf8')) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema;
      return schema ? [{ id: `${method} ${path}`, body: largestOf(schema, components.schemas) } as Document] : [];
    }),
  );
};

/** Returns the documents of the largest incidents that the rules allow. */
const documentsOfIncidents = async (): Promise<Document[]> => {
  const documents: Document[] = [];
  for (const { made, events } of largestIncidents()) {
    const store = createMemoryReadStore();
    const generation = await foldInMemory(incidents, [recorded(events)], store);
    for (const name of ['incidents', 'postmortems']) {
      for (const document of await store.find(generation, name, {})) {
        documents.push({ ...document, id: `${name} of ${made}` });
      }
    }
  }
  return documents;
};

/**
 * Verifies that a store can store everything that the API accepts.
 *
 * @param open opens an empty store, and returns a function that disposes of the store
 */
export const largestDocumentContract = (
  name: string,
  open: () => Promise<{ store: ReadStore; dispose: () => Promise<void> }>,
): void => {
  const test = suite(`The largest documents that the rules allow, on ${name}`);
  const check = async (documents: readonly Document[]): Promise<void> => {
    const { store, dispose } = await open();
    try {
      const generation = { projection: 'largest@1', number: 1 };
      await store.open(generation, { things: { indexes: [] } });
      for (const [index, document] of documents.entries()) {
        const checkpoint = { log_id: 'log', position: BigInt(index + 1), event_id: null };
        await store.commit(generation, { things: [{ put: document }] }, checkpoint);
        const [found] = await store.get(generation, 'things', [document.id]);
        assert.is(sizeOf(found), sizeOf(document), document.id);
      }
    } finally {
      await dispose();
    }
  };

  test('the largest allowed incident is read completely', async () => {
    const documents = await documentsOfIncidents();
    assert.ok(documents.some((document) => sizeOf(document) > 8 * 1_048_576));
    await check(documents);
  });

  test('the largest allowed resource of each kind is read completely', async () => {
    const documents = largestBodies();
    assert.ok(documents.length > 20);
    await check(documents);
  });

  test.run();
};
