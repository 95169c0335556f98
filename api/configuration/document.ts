import type { TObject } from '@sinclair/typebox';
import { isFields, type Fields } from '../../domain/fields.ts';
import { createPublisher } from '../openapi/publish-schema.ts';
import { ENTRY_SCHEMAS, OBJECT_KINDS, PARTS_OF_PAGE, type ObjectKind } from './entries.ts';

/** Path of the JSON Schema of configuration files. */
export const CONFIGURATION_SCHEMA_PATH = '/config.schema.json';

const DESCRIPTIONS: Readonly<Record<ObjectKind, string>> = {
  secrets: 'Secrets that checks are bound to, by name.',
  check_groups: 'Groups of checks.',
  checks: 'Checks. The key of a check is its group and name.',
  pages: 'Status pages with their component groups and components.',
  component_groups: 'Component groups of the page.',
  components: 'Components of the page.',
  channels: 'Alert channels.',
  rules: 'Alert rules. The key of a rule is its check or tag, and its name.',
  heartbeats: 'Heartbeats.',
  incident_templates: 'Templates of incidents and maintenances.',
};

const isPart = (kind: ObjectKind): boolean => (PARTS_OF_PAGE as readonly ObjectKind[]).includes(kind);

/**
 * Creates the JSON Schema (draft 2020-12) of configuration files, for `/config.schema.json` and `uptrail config-schema`.
 * It is derived from the schemas of the bodies of requests.
 */
export const configurationSchemaText = (): string => `${JSON.stringify(configurationSchema(), null, 2)}\n`;

const configurationSchema = (): Fields => {
  const { publish, schemas } = createPublisher();
  const definitions: Fields = {};
  for (const kind of OBJECT_KINDS) {
    const schema: TObject = ENTRY_SCHEMAS[kind];
    definitions[kind] = withPlaceholders(strict(publish(schema)));
  }
  const page = definitions['pages'] as Fields;
  page['properties'] = { ...(page['properties'] as Fields), ...lists(OBJECT_KINDS.filter(isPart)) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Uptrail configuration',
    type: 'object',
    additionalProperties: false,
    properties: lists(OBJECT_KINDS.filter((kind) => !isPart(kind))),
    $defs: definitions,
    ...(Object.keys(schemas()).length > 0 && { components: { schemas: schemas() } }),
  };
};

const lists = (kinds: readonly ObjectKind[]): Fields =>
  Object.fromEntries(
    kinds.map((kind) => [kind, { type: 'array', description: DESCRIPTIONS[kind], items: { $ref: `#/$defs/${kind}` } }]),
  );

/** Allows no other fields, so that editors mark misspelt ones. */
const strict = (schema: Fields): Fields => {
  if (!Array.isArray(schema['anyOf'])) return { ...schema, additionalProperties: false };
  // The keyword discriminator belongs to OpenAPI; validators in strict mode refuse it.
  const others = Object.entries(schema).filter(([keyword]) => keyword !== 'discriminator');
  return { ...Object.fromEntries(others), anyOf: (schema['anyOf'] as Fields[]).map(strict) };
};

/** A text with a placeholder, which stands for a value that the schema cannot see. */
const PLACEHOLDER = { type: 'string', pattern: '\\$\\{(?:env:[A-Za-z_][A-Za-z0-9_]*|kept)\\}' };
const RESTRICTIONS = ['pattern', 'format', 'enum'];

/** Lets every restricted text be a placeholder as well, except the names and types by which objects are found. */
const withPlaceholders = (schema: unknown, name = ''): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => withPlaceholders(part));
  if (!isFields(schema)) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' && isFields(value)) {
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([field, one]) => [field, withPlaceholders(one, field)])),
        ];
      }
      return [key, NESTED.has(key) ? withPlaceholders(value) : value];
    }),
  );
  const isText = [copy['type']].flat().includes('string');
  if (!isText || name === 'type' || !RESTRICTIONS.some((word) => word in copy)) return copy;
  const { description, default: standard, ...restricted } = copy;
  return {
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
    anyOf: [restricted, PLACEHOLDER],
  };
};

/** Keywords whose values are schemas. */
const NESTED = new Set(['items', 'anyOf', 'allOf', 'oneOf', 'additionalProperties', 'patternProperties', 'not']);
