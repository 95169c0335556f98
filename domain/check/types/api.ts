import type { CheckType } from './check-type.ts';
import { web } from './web.ts';

/** The specification requires the same of it as of `web`. */
export const api: CheckType = { ...web, name: 'api' };
