import { useEffect, useRef } from 'preact/hooks';
import { words } from '../shell/language.ts';
import { guardNavigation } from './router.ts';

const NOTHING = (): void => undefined;

/**
 * While there are unsaved changes, asks before the screen is left: by a link, by "back", or by closing the tab.
 *
 * @returns allows leaving; call it after saving
 */
export const useUnsaved = (changed: boolean): (() => void) => {
  const release = useRef(NOTHING);
  useEffect(() => {
    if (!changed) return;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    const end = guardNavigation(() => confirm(words.value.common.leaveUnsaved));
    addEventListener('beforeunload', ask);
    release.current = () => {
      end();
      removeEventListener('beforeunload', ask);
    };
    return () => {
      release.current();
      release.current = NOTHING;
    };
  }, [changed]);
  return () => {
    release.current();
  };
};
