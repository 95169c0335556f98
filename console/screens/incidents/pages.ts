import type { Schemas } from '../../api/openapi.d.ts';
import { call } from '../../session/call.ts';

export type StatusPage = Schemas['Page'];

/** Loads all status pages, sorted by name. */
export const allPages = async (signal: AbortSignal): Promise<StatusPage[]> => {
  const all: StatusPage[] = [];
  for (let page = 1; ; page++) {
    const { pages, pagination } = await call('GET /v1/pages', { query: { page, page_size: 100 } }, { signal });
    all.push(...pages);
    if (!pagination.has_next) return all;
  }
};

/** Processes items with limited concurrency. */
export const forEachOf = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
};
