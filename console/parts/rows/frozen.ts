import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

export interface Frozen<T> {
  shown: T;
  /** whether the displayed value is out of date */
  isOutdated: boolean;
  /** freezes the displayed value while true */
  setFrozen: (isHeld: boolean) => void;
  /** shows the current value */
  refresh: () => void;
}

/**
 * Freezes a displayed value on request. For example, the order of rows is frozen while the pointer is over them.
 *
 * @param wanted the value to display when it is not frozen
 * @param choices choices of the user, such as a filter. When one of them changes, the wanted value is displayed
 * immediately, even while frozen
 */
export const useFrozen = <T>(
  wanted: T,
  choices: readonly unknown[],
  isSame: (one: T, other: T) => boolean,
): Frozen<T> => {
  const isFrozen = useSignal(false);
  const round = useSignal(0);
  const all = [...choices, round.value];
  const last = useRef({ shown: wanted, choices: all });
  const isNewChoice = all.some((one, index) => one !== last.current.choices[index]);
  if (!isFrozen.value || isNewChoice) last.current = { shown: wanted, choices: all };
  const { shown } = last.current;
  return {
    shown,
    isOutdated: shown !== wanted && !isSame(shown, wanted),
    setFrozen: (isHeld) => {
      isFrozen.value = isHeld;
    },
    refresh: () => {
      round.value += 1;
    },
  };
};
