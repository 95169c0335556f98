import type { TSchema } from '@sinclair/typebox';
import type { Method } from '../route.ts';

/** Returns the operation id, such as `get_v1_pages_page_id`. */
export const operationId = (method: Method, path: string): string =>
  `${method}${path.replace(/[{}]/g, '').replace(/[^a-z0-9]+/gi, '_')}`;

/** Returns the names of the path parameters: `/v1/pages/{page_id}` → `['page_id']`. */
export const parameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Returns the names and schemas of an object's fields, in order. */
export const propertiesOf = (schema: TSchema | null | undefined): [string, TSchema][] =>
  Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>);
