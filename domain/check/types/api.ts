import type { CheckType } from './check-type.ts';
import { web } from './web.ts';

/** The same as `web`, under another name. */
export const api: CheckType = { ...web, name: 'api' };
