import type { CheckType } from './check-type.ts';
import { web } from './web.ts';

/** Identical to the type `web`, except for the name. */
export const api: CheckType = { ...web, name: 'api' };
