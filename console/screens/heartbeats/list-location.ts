import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { navigate, currentLocation } from '../../router/router.ts';

/** Debounce between a keystroke and the request for the list, in milliseconds. */
const REST_MS = 300;

export interface ListLocation {
  /** the filter line as typed */
  line: string;
  /** the filter line of the current request, which is also in the URL */
  appliedLine: string;
  page: number;
  set: (line: string) => void;
  setPage: (page: number) => void;
}

const addressOf = (path: string, line: string, page: number): string => {
  const query = new URLSearchParams({
    ...(line !== '' && { filter: line }),
    ...(page > 1 && { page: page.toString() }),
  });
  return query.size > 0 ? `${path}?${query.toString()}` : path;
};

/** Returns the filter line and the page of a list. Both are stored in the URL: `?filter=status:down&page=2`. */
export const useListLocation = (path: string): ListLocation => {
  const { query } = currentLocation.value;
  const asked = query.get('filter') ?? '';
  const page = Math.max(1, Math.floor(Number(query.get('page') ?? 1)) || 1);
  const line = useSignal(asked);
  const written = useRef(asked);
  // "Back" and links change the filter in the URL only, so copy it to the line.
  useEffect(() => {
    if (asked !== written.current) line.value = asked;
    written.current = asked;
  }, [asked]);
  useEffect(() => {
    const wanted = line.value.trim();
    if (wanted === asked) return;
    const timer = setTimeout(() => {
      if (currentLocation.value.path !== path) return;
      written.current = wanted;
      navigate(addressOf(path, wanted, 1), { replace: true });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [line.value]);
  return {
    line: line.value,
    appliedLine: asked,
    page,
    set: (next) => {
      line.value = next;
    },
    setPage: (next) => {
      navigate(addressOf(path, asked, next));
    },
  };
};
