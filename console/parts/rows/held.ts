import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

export interface Held<T> {
  shown: T;
  /** whether something else would be shown if nothing was held */
  isOld: boolean;
  /** the displayed order does not change while this is true */
  hold: (isHeld: boolean) => void;
  /** shows what is wanted now */
  renew: () => void;
}

/**
 * Keeps what is shown while it is held, as rows are while the pointer is over them: none moves away under it.
 *
 * @param asked the user's choice, such as a filter: a change of it applies the wanted value immediately
 */
export const useHeld = <T>(wanted: T, asked: readonly unknown[], isSame: (one: T, other: T) => boolean): Held<T> => {
  const held = useSignal(false);
  const round = useSignal(0);
  const all = [...asked, round.value];
  const last = useRef({ shown: wanted, asked: all });
  const isAsked = all.some((one, index) => one !== last.current.asked[index]);
  if (!held.value || isAsked) last.current = { shown: wanted, asked: all };
  const { shown } = last.current;
  return {
    shown,
    isOld: shown !== wanted && !isSame(shown, wanted),
    hold: (isHeld) => {
      held.value = isHeld;
    },
    renew: () => {
      round.value += 1;
    },
  };
};
