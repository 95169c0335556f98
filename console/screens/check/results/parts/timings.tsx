import type { JSX } from 'preact';
import { language, words } from '../../../../shell/language.ts';
import { timeText } from '../../../checks/figures.ts';
import { numberOf, type Fields } from '../values.ts';
import { Part } from './shared.tsx';

const PHASES = ['lookup', 'connect', 'tls', 'first_byte', 'transfer'] as const;
type Phase = (typeof PHASES)[number];

/** Returns the phases that a run reached, with the time before each phase and its duration, in milliseconds. */
export const phasesOf = (timings: Fields): { phase: Phase; before: number; time: number }[] => {
  let before = 0;
  return PHASES.flatMap((phase) => {
    const time = numberOf(timings[phase]);
    if (time === null || time < 0) return [];
    const one = { phase, before, time };
    before += time;
    return [one];
  });
};

const WIDTH = 300;

/** The duration of each phase of a run, as stacked bars. */
export const Timings = ({ timings }: { timings: Fields }): JSX.Element | null => {
  const phases = phasesOf(timings);
  const last = phases.at(-1);
  if (!last) return null;
  const { result: says } = words.value;
  const scale = WIDTH / Math.max(1, last.before + last.time);
  return (
    <Part title={says.timings}>
      <dl class="timings">
        {phases.map(({ phase, before, time }) => (
          <div key={phase}>
            <dt>{says.phases[phase]}</dt>
            <dd>
              <svg viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
                <rect x={before * scale} width={Math.max(1, time * scale)} height="8" />
              </svg>
              <span class="number">{timeText(time, language.value)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
};
