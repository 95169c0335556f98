import type { Route } from '../route.ts';
import { statusRoutes } from './status/routes.ts';

/** Everything below the root of a status page. A line for each folder. */
export const pageRoutes: readonly Route[] = [...statusRoutes];
