import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

export interface Held<T> {
  shown: T;
  /** whether the displayed value is out of date */
  isOld: boolean;
  /** freezes the displayed value while true */
  hold: (isHeld: boolean) => void;
  /** shows the current value */
  renew: () => void;
}

/**
 * Freezes the displayed value while it is held. For example, rows do not move while the pointer is over them.
 *
 * @param choices the user's choices, such as a filter: a change of any of them applies the wanted value immediately
 */
export const useHeld = <T>(wanted: T, choices: readonly unknown[], isSame: (one: T, other: T) => boolean): Held<T> => {
  const isFrozen = useSignal(false);
  const round = useSignal(0);
  const all = [...choices, round.value];
  const last = useRef({ shown: wanted, choices: all });
  const isNewChoice = all.some((one, index) => one !== last.current.choices[index]);
  if (!isFrozen.value || isNewChoice) last.current = { shown: wanted, choices: all };
  const { shown } = last.current;
  return {
    shown,
    isOld: shown !== wanted && !isSame(shown, wanted),
    hold: (isHeld) => {
      isFrozen.value = isHeld;
    },
    renew: () => {
      round.value += 1;
    },
  };
};
