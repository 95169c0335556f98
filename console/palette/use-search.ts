import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { failureIn, type Failure } from '../api/failure.ts';
import { finderOf, pagesOnce } from './server-search.ts';
import type { Item } from './item.ts';
import type { Found } from './visible-items.ts';
import { createSearch } from './debounced-search.ts';

/** Debounce before a search request, milliseconds. */
const REST_MS = 200;

const NOTHING: Found = { text: '', items: [] };

/** The service's results for a text; an empty text sends no request. */
export const useSearch = (typed: string): { found: Found; isSearching: boolean; failure: Failure | null } => {
  const found = useSignal(NOTHING);
  const ended = useSignal('');
  const failure = useSignal<Failure | null>(null);
  /** whether there are no results for the current text yet */
  const isFirst = useRef(true);
  const search = useMemo(
    () =>
      createSearch<Item>(
        finderOf(pagesOnce()),
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
