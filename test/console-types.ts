/*
 * Generates console/api/openapi.d.ts, the types with which the console calls the API, from the OpenAPI document.
 * Supports only the schema keywords that our document uses, and throws an error for any other.
 */

type Json = Readonly<Record<string, unknown>>;

const HEAD = `// Made from docs/reference/openapi.json by \`npm run generate\`.
`;

/** JSON Schema keywords that do not affect the TypeScript type. */
const REFINEMENTS: ReadonlySet<string> = new Set(
  (
    'description title examples example default format pattern minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'minLength maxLength minItems maxItems uniqueItems minProperties maxProperties multipleOf x-rule deprecated ' +
    'propertyNames readOnly writeOnly contentMediaType contentEncoding if then else not'
  ).split(' '),
);

const key = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name));

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';

/** Returns the TypeScript type of an object with these properties. */
const objectType = (properties: readonly (readonly [name: string, type: string, required: boolean])[]): string =>
  properties.length === 0
    ? 'Record<string, never>'
    : `{ ${properties.map(([name, type, required]) => `${key(name)}${required ? '' : '?'}: ${type}`).join('; ')} }`;

const ofObject = (schema: Json): string => {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const required = new Set((schema['required'] ?? []) as string[]);
  const { additionalProperties, patternProperties = {} } = schema;
  const others = Object.values(patternProperties as Record<string, Json>).map(typeOf);
  if (additionalProperties !== undefined && additionalProperties !== false) {
    others.push(additionalProperties === true ? 'unknown' : typeOf(additionalProperties as Json));
  }
  const named = properties.map(([name, property]) => [name, typeOf(property), required.has(name)] as const);
  if (others.length === 0) return named.length === 0 ? 'Record<string, unknown>' : objectType(named);
  const indexed = `Record<string, ${union(others)}>`;
  return named.length === 0 ? indexed : `${objectType(named)} & ${indexed}`;
};

const ofOneType = (type: string, schema: Json): string => {
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly (${typeOf((schema['items'] ?? {}) as Json)})[]`;
    case 'object':
      return ofObject(schema);
    default:
      throw new Error(`There is no type for the schema type ${type}.`);
  }
};

/** Returns the TypeScript type of a JSON schema. @throws Error if the schema has an unsupported keyword */
export const typeOf = (schema: Json): string => {
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === 'string') return `Schemas[${JSON.stringify($ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map((one) => JSON.stringify(one)));
  if (Array.isArray(allOf)) {
    const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'allOf'));
    // Conditions (`if`) do not affect the type, because they only relate the values of several fields.
    const types = [rest, ...(allOf as Json[])].map(typeOf).filter((one) => one !== 'unknown');
    return types.map((one) => `(${one})`).join(' & ') || 'unknown';
  }
  const several = anyOf ?? oneOf;
  if (Array.isArray(several)) return union((several as Json[]).map(typeOf));
  if (type !== undefined) return union([type].flat().map((one) => ofOneType(one as string, schema)));
  const unknown = Object.keys(schema).filter((keyword) => !REFINEMENTS.has(keyword));
  if (unknown.length > 0) throw new Error(`There is no type for the keywords ${unknown.join(', ')}.`);
  return 'unknown';
};

const jsonIn = (container: unknown): Json | null => {
  const { content } = (container ?? {}) as { content?: Record<string, { schema?: Json }> };
  return content?.['application/json']?.schema ?? null;
};

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

/** Returns the TypeScript type of an operation's request, with its path parameters, query and body. */
const requestType = (operation: Json): string => {
  const parameters = (operation['parameters'] ?? []) as Parameter[];
  const parts = (['path', 'query'] as const).flatMap((place) => {
    const ofPlace = parameters.filter((one) => one.in === place);
    if (ofPlace.length === 0) return [];
    const fields = ofPlace.map(({ name, schema, required = false }) => [name, typeOf(schema), required] as const);
    const isRequired = fields.some(([, , required]) => required);
    return [[place === 'path' ? 'params' : 'query', objectType(fields), isRequired] as const];
  });
  const body = jsonIn(operation['requestBody']);
  const needsBody = (operation['requestBody'] as { required?: boolean } | undefined)?.required ?? false;
  return objectType([...parts, ...(body ? [['body', typeOf(body), needsBody] as const] : [])]);
};

/**
 * Returns the type of an operation's successful responses. Leaves out the 202 response of a late read model, which is
 * the same for all operations.
 */
const answerType = (operation: Json): string => {
  const responses = Object.entries(operation['responses'] as Record<string, Json>).filter(
    ([status, response]) => status.startsWith('2') && !('$ref' in response),
  );
  return union(responses.map(([, response]) => (jsonIn(response) ? typeOf(jsonIn(response) as Json) : 'undefined')));
};

/** Returns the content of `console/api/openapi.d.ts`. @param text the OpenAPI document as JSON */
export const consoleTypes = (text: string): string => {
  const { paths, components } = JSON.parse(text) as {
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Record<string, Json> };
  };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${key(name)}: ${typeOf(schema)};`);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        `  ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ` +
        `{ request: ${requestType(operation)}; answer: ${answerType(operation)} };`,
    ),
  );
  return [
    HEAD,
    '/** What the API sends and takes, by name. */',
    'export interface Schemas {',
    ...schemas,
    '}',
    '',
    '/** Operations by method and path: what a request has, and what the answer is. */',
    'export interface Operations {',
    ...operations,
    '}',
    '',
  ].join('\n');
};
