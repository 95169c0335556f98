import { api } from './api/index.ts';
import type { CheckType } from './probe/check-type.ts';
import { tcp } from './tcp/index.ts';
import { web } from './web/index.ts';

/** Every type of check that this release can run. */
export const TYPES: readonly CheckType[] = [web, api, tcp];
