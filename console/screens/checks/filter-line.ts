import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { navigate, currentLocation } from '../../router/router.ts';
import { addressOf, useDefaultView, type ListWithViews } from '../../saved-views/default-view.ts';
import { filterOf } from './filter.ts';
import { idsWith } from './source.ts';

/** Debounce before the URL is updated and targets are searched, in milliseconds. */
const REST_MS = 300;
/** Shorter texts occur in most targets. */
const SHORTEST_SEARCHED = 3;

const NONE: ReadonlySet<string> = new Set();

/** The storage key of the list's saved views, and the path without a filter. */
export const VIEWS: ListWithViews = { list: 'checks', path: '/checks', everything: 'filter=' };

/** Returns the query for a filter line; empty: no filter. */
export const queryOf = (line: string): string =>
  line.trim() === '' ? '' : new URLSearchParams({ filter: line.trim() }).toString();

/**
 * Returns the filter line, which is also in the URL, and the checks whose target contains its text, which only the
 * service knows.
 */
export const useFilterLine = (): { line: string; found: ReadonlySet<string>; set: (line: string) => void } => {
  useDefaultView(VIEWS);
  const inAddress = currentLocation.value.query.get('filter') ?? '';
  const line = useSignal(inAddress);
  const found = useSignal<{ text: string; ids: ReadonlySet<string> }>({ text: '', ids: NONE });
  const written = useRef(inAddress);
  // "Back" and links change only the URL; text typed afterwards must extend the new line.
  useLayoutEffect(() => {
    if (inAddress !== written.current) line.value = inAddress;
    written.current = inAddress;
  }, [inAddress]);

  const { text } = filterOf(line.value);
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      const wanted = line.value.trim();
      if (currentLocation.value.path === '/checks' && wanted !== (currentLocation.value.query.get('filter') ?? '')) {
        written.current = wanted;
        navigate(addressOf(VIEWS, queryOf(wanted)), { replace: true });
      }
      if (text.length < SHORTEST_SEARCHED || found.value.text === text) return;
      idsWith(text, leaving.signal).then(
        (ids) => {
          found.value = { text, ids };
        },
        // The loaded rows are searched nevertheless.
        () => undefined,
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [line.value]);
  return {
    line: line.value,
    found: found.value.text === text ? found.value.ids : NONE,
    set: (next) => {
      line.value = next;
    },
  };
};
