import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { failureIn, type Failure } from '../api/failure.ts';
import { createFinder, pagesOnce } from './server-search.ts';
import type { PaletteItem } from './item.ts';
import type { ServerResults } from './visible-items.ts';
import { createDebouncedSearch } from './debounced-search.ts';

/** Debounce before a search request, in milliseconds. */
const REST_MS = 200;

const NOTHING: ServerResults = { text: '', items: [] };

/** Returns the service's results for a text. Sends no request for an empty text. */
export const useSearch = (typed: string): { found: ServerResults; isSearching: boolean; failure: Failure | null } => {
  const found = useSignal(NOTHING);
  const ended = useSignal('');
  const failure = useSignal<Failure | null>(null);
  /** whether there are no results for the current text yet */
  const isFirst = useRef(true);
  const search = useMemo(
    () =>
      createDebouncedSearch<PaletteItem>(
        createFinder(pagesOnce()),
        {
          found: (text, part) => {
            const before = isFirst.current ? [] : found.value.items;
            isFirst.current = false;
            found.value = { text, items: [...before, ...part] };
          },
          ended: (text, error) => {
            ended.value = text;
            if (error !== null) failure.value = failureIn(error);
          },
        },
        REST_MS,
      ),
    [],
  );
  useEffect(() => {
    failure.value = null;
    ended.value = '';
    isFirst.current = true;
    search.type(typed);
    return search.stop;
  }, [typed]);
  return { found: found.value, isSearching: typed !== '' && ended.value !== typed, failure: failure.value };
};
