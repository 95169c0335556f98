import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * Returns a ref for the first field of a form in a drawer. The field gets the focus after the drawer has been opened.
 */
export const useFirstFocus = (): RefObject<HTMLInputElement | null> => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => {
      cancelAnimationFrame(frame);
    };
  }, []);
  return field;
};
