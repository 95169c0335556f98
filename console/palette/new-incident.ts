import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureIn, type Failure } from '../api/failure.ts';
import { itemOfPage, pagesOnce } from './server-search.ts';
import type { PaletteItem } from './item.ts';

const BELOW = '/incidents/new';

/** Returns the pages on which an incident can be created. If there is only one page, it is chosen automatically. */
export const useIncidentPages = (
  isWanted: boolean,
  choose: (page: PaletteItem) => void,
): { pages: readonly PaletteItem[] | null; failure: Failure | null } => {
  const pages = useSignal<readonly PaletteItem[] | null>(null);
  const failure = useSignal<Failure | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    pagesOnce()(leaving.signal).then(
      (all) => {
        if (leaving.signal.aborted) return;
        pages.value = all.map((page) => itemOfPage(page, BELOW));
        const [only] = pages.value;
        if (only && pages.value.length === 1) choose(only);
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        failure.value = failureIn(error);
      },
    );
    return () => {
      leaving.abort();
    };
  }, [isWanted]);
  return { pages: pages.value, failure: failure.value };
};
