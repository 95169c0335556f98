import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { navigate, currentLocation } from '../../router/router.ts';
import { addressOf, useDefaultView, type ListWithViews } from '../../saved-views/default-view.ts';
import { filterOf } from './filter.ts';
import { idsWith } from './source.ts';

/** Debounce before the URL is updated and targets are searched, in milliseconds. */
const REST_MS = 300;
/** Minimum length of a text for which targets are searched. Shorter texts occur in most targets. */
const SHORTEST_SEARCHED = 3;

const NONE: ReadonlySet<string> = new Set();

/** The storage key of the list's saved views, the path of the list, and the query that shows all checks. */
export const VIEWS: ListWithViews = { list: 'checks', path: '/checks', everything: 'filter=' };

/** Returns the query that represents a filter line in the URL, or an empty text if there is no filter. */
export const queryOf = (line: string): string =>
  line.trim() === '' ? '' : new URLSearchParams({ filter: line.trim() }).toString();

/**
 * Returns the filter line, and the ids of the checks whose target contains the text of the filter. The URL contains the
 * line as well. The service searches the targets, because the loaded rows do not contain targets.
 */
export const useFilterLine = (): { line: string; found: ReadonlySet<string>; set: (line: string) => void } => {
  useDefaultView(VIEWS);
  const inAddress = currentLocation.value.query.get('filter') ?? '';
  const line = useSignal(inAddress);
  const found = useSignal<{ text: string; ids: ReadonlySet<string> }>({ text: '', ids: NONE });
  const written = useRef(inAddress);
  // "Back" and links change the filter in the URL only. Copy it to the line before the next keystroke, so that typed
  // text extends the new filter.
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
        // Ignore the error: the names and tags of the loaded rows are searched anyway.
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
