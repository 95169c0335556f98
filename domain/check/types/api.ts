import type { CheckType } from './check-type.ts';
import { web } from './web.ts';

/** The specification asks of it what it asks of `web`. */
export const api: CheckType = { ...web, name: 'api' };
