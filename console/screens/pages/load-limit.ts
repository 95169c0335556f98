import { call } from '../../session/call.ts';
import { limitIn, type PageLimit } from './limit.ts';

/** Loads the plan's limit of pages. @throws Failure */
export const loadLimit = async (signal: AbortSignal): Promise<PageLimit> =>
  limitIn(await call('GET /v1/usage', {}, { signal }));
