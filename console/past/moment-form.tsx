import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { describingIds, FieldFrame } from '../parts/form/field-frame.tsx';
import { instantOf, localOf } from '../parts/form/local-time.ts';
import { ownZone } from '../parts/times/zone.ts';
import { words } from '../shell/language.ts';

type Problem = 'none' | 'future' | null;

export interface MomentFormProps {
  /** the shown moment, an API time; null: now */
  at: string | null;
  /** what is wrong with the shown moment */
  problem: Problem;
  onChoose: (at: string) => void;
}

/** Returns an API time as the value of a field with seconds. */
const fieldValue = (at: string): string => `${localOf(at)}:${String(new Date(`${at}Z`).getSeconds()).padStart(2, '0')}`;

/** A field for a moment in the browser's time zone. */
export const MomentForm = ({ at, problem, onChoose }: MomentFormProps): JSX.Element => {
  const shown = at === null || problem === 'none' ? '' : fieldValue(at);
  const typed = useSignal(shown);
  const wrong = useSignal<Problem>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { past: says } = words.value;
  const before = useRef(shown);
  useEffect(() => {
    // The first effect runs after the first rendering, when the user may have typed already.
    if (before.current === shown) return;
    before.current = shown;
    typed.value = shown;
    wrong.value = null;
  }, [shown]);
  useEffect(() => {
    // If no moment is shown, the user has just opened the control.
    if (at === null) input.current?.focus();
  }, []);
  const submit = (): void => {
    const instant = instantOf(input.current?.value ?? '');
    wrong.value = instant === null ? 'none' : Date.parse(`${instant}Z`) > Date.now() ? 'future' : null;
    if (wrong.value !== null || instant === null) input.current?.focus();
    else if (typed.value !== shown || problem !== null) onChoose(instant);
  };
  const problemNow = wrong.value ?? problem;
  const field = {
    label: says.moment,
    name: 'at',
    hint: ownZone(),
    problem: problemNow === null ? null : problemNow === 'future' ? says.future : says.noMoment,
  };
  return (
    <form
      class="past-moment"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FieldFrame field={field} id={id}>
        <div class="past-choice">
          <div class="input">
            <input
              id={id}
              ref={input}
              name="at"
              type="datetime-local"
              step={1}
              value={typed.value}
              onInput={({ currentTarget }) => {
                typed.value = currentTarget.value;
              }}
              {...describingIds(id, field)}
            />
          </div>
          <button class="button">{says.show}</button>
        </div>
      </FieldFrame>
    </form>
  );
};
