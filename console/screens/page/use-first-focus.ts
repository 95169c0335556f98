import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Returns a ref of a field that gets the focus when its form is shown, after the surrounding drawer was opened. */
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
