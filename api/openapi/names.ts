import type { TSchema } from '@sinclair/typebox';
import type { Method } from '../route.ts';

/** `get_v1_pages_page_id` */
export const operationId = (method: Method, path: string): string =>
  `${method}${path.replace(/[{}]/g, '').replace(/[^a-z0-9]+/gi, '_')}`;

/** `page_id` of `/v1/pages/{page_id}` */
export const parameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Fields of an object's schema, in order. */
export const propertiesOf = (schema: TSchema | null | undefined): [string, TSchema][] =>
  Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>);
