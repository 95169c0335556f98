import { call } from '../../session/call.ts';
import { limitIn, type PageLimit } from './limit.ts';

/** How many pages the plan allows. @throws Failure */
export const loadLimit = async (signal: AbortSignal): Promise<PageLimit> =>
  limitIn(await call('GET /v1/usage', {}, { signal }));
