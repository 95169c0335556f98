import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fittingIn, unitOf } from './tiles.ts';

const fittingNow = (): number => fittingIn(innerWidth, innerHeight, unitOf(innerWidth));

/**
 * Returns the number of tiles that fit into the window. No further tiles are rendered, because nobody can scroll a wall
 * display.
 */
export const useFitting = (): number => {
  const fitting = useSignal(fittingNow());
  useEffect(() => {
    const look = (): void => {
      fitting.value = fittingNow();
    };
    addEventListener('resize', look);
    return () => {
      removeEventListener('resize', look);
    };
  }, []);
  return fitting.value;
};
