import { api } from '../runners/api/index.ts';
import type { CheckType } from '../runners/check-type.ts';
import { tcp } from '../runners/tcp/index.ts';
import { web } from '../runners/web/index.ts';

/** Every type of check that this release can run. */
export const TYPES: readonly CheckType[] = [web, api, tcp];
