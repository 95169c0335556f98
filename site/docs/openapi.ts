/** The parts of an OpenAPI document that the documentation uses (api/openapi/document.ts). */
export interface OpenApi {
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  /** paragraphs; if the operation is restricted to roles, the last paragraph names them */
  description?: string;
  tags: readonly [string];
  security?: readonly Readonly<Record<string, unknown>>[];
  'x-roles'?: readonly string[];
  parameters: readonly Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Readonly<Record<string, { description?: string; content?: Content; $ref?: string }>>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>;

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  pattern?: string;
  'x-rule'?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  discriminator?: { propertyName: string };
}

/** Returns the name of the schema in a reference: `#/components/schemas/Incident` → `Incident`. */
export const nameOfReference = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
