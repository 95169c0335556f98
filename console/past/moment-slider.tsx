import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { fullText } from '../parts/times/since.tsx';
import { words } from '../shell/language.ts';
import { countUntil, isLater } from './moment-order.ts';
import type { Moments } from './moments.ts';

export interface MomentSliderProps {
  known: Moments;
  /** the shown moment, an API time; null: now */
  at: string | null;
  /** called with an API time, or null for now */
  onChoose: (at: string | null) => void;
}

/** A slider over the changes of a screen, with buttons for the previous and the next change. */
export const MomentSlider = ({ known: { moments, truncated }, at, onChoose }: MomentSliderProps): JSX.Element => {
  const id = useId();
  const { past: says } = words.value;
  // Position n is the state after the n-th change, and the last position is the present.
  const present = moments.length + 1;
  const position = at === null ? present : countUntil(moments, at);
  const moved = useSignal(position);
  useEffect(() => {
    moved.value = position;
  }, [position]);
  const choose = (next: number): void => {
    onChoose(next >= present ? null : (moments[next - 1] ?? null));
  };
  const textOf = (one: number): string => {
    const moment = moments[one - 1];
    if (one >= present) return says.now;
    return moment === undefined ? says.beforeFirst : says.changeOf(one, moments.length, fullText(moment));
  };
  // If the shown moment is between two changes, the button "previous" leads to the time of the earlier of these
  // changes.
  const isBetween = at !== null && isLater(at, moments[position - 1]);
  const previous = isBetween ? position : position - 1;
  return (
    <div class="past-slider">
      <label for={id}>{says.change}</label>
      <Step
        label={says.previous}
        sign="‹"
        isPossible={previous >= 1}
        onStep={() => {
          choose(previous);
        }}
      />
      <input
        id={id}
        type="range"
        min={Math.min(1, position)}
        max={present}
        value={moved.value}
        aria-valuetext={textOf(moved.value)}
        onInput={({ currentTarget }) => {
          moved.value = currentTarget.valueAsNumber;
        }}
        onChange={({ currentTarget }) => {
          const before = location.href;
          if (currentTarget.valueAsNumber !== position) choose(currentTarget.valueAsNumber);
          // If the user has refused to leave unsaved input, the location is unchanged. Then move the slider back.
          if (location.href === before) moved.value = position;
        }}
      />
      <Step
        label={says.next}
        sign="›"
        isPossible={position < present}
        onStep={() => {
          choose(position + 1);
        }}
      />
      <p class="fine">
        {textOf(moved.value)}
        {truncated && ` · ${says.truncated(moments.length)}`}
      </p>
    </div>
  );
};

interface StepProps {
  label: string;
  sign: string;
  isPossible: boolean;
  onStep: () => void;
}

/** A button next to the slider. It stays focusable at the ends, so that the focus is not lost. */
const Step = ({ label, sign, isPossible, onStep }: StepProps): JSX.Element => (
  <button
    type="button"
    class="button"
    aria-label={label}
    title={label}
    aria-disabled={!isPossible}
    onClick={() => {
      if (isPossible) onStep();
    }}
  >
    <span aria-hidden="true">{sign}</span>
  </button>
);
