import type { Route } from '../route.ts';
import { auditRoutes } from './audit.ts';

/** Every route under `/v1`, in the order of the OpenAPI document. */
export const v1Routes: readonly Route[] = [...auditRoutes];
