import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { historyAt } from '../router/histories.ts';
import { currentLocation } from '../router/router.ts';
import { words } from '../shell/language.ts';
import { isPastOpen, pastMoment } from './past.ts';

/** A button that opens the control for past states. Renders nothing on screens without past states. */
export const AsItWas = (): JSX.Element | null => {
  // A past state has the control already.
  if (historyAt(currentLocation.value.path) === null || pastMoment.value !== null) return null;
  return (
    <button
      type="button"
      class="button"
      aria-expanded={isPastOpen.value}
      onClick={() => {
        isPastOpen.value = !isPastOpen.value;
      }}
    >
      <Icon name="past" /> {words.value.past.asItWas}
    </button>
  );
};
