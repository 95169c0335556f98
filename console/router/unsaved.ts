import { useEffect, useRef } from 'preact/hooks';
import { words } from '../shell/language.ts';
import { guardNavigation } from './router.ts';

const NOTHING = (): void => undefined;

/**
 * Asks for confirmation before the user leaves a screen with unsaved changes by a link, by "back", or by closing the
 * tab.
 *
 * @returns a function that allows leaving without confirmation; call it after saving
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
