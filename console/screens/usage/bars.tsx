import type { JSX } from 'preact';
import { numberFormat } from '../../parts/number-format.ts';
import { language, words } from '../../shell/language.ts';

export interface LimitUsage {
  label: string;
  used: number;
  /** null: no limit */
  limit: number | null;
}

/** Share of a limit from which the limit counts as nearly used up. */
const NEARLY = 0.9;

const stateOf = ({ used, limit }: LimitUsage): 'operational' | 'degraded' | 'major' => {
  if (limit === null || used < limit * NEARLY) return 'operational';
  return used >= limit ? 'major' : 'degraded';
};

/** A bar for each limit that shows how much of it is used. */
export const UseBars = ({ uses }: { uses: readonly LimitUsage[] }): JSX.Element => {
  const numbers = numberFormat(language.value);
  const says = words.value.plan;
  return (
    <ul class="uses">
      {uses.map((use) => (
        <li key={use.label} class={`state-${stateOf(use)}`}>
          <span>{use.label}</span>
          <span class="of">
            <strong>{numbers.format(use.used)}</strong>{' '}
            {use.limit === null ? says.unlimited : says.ofLimit(numbers.format(use.limit))}
          </span>
          {use.limit !== null && (
            <meter min={0} max={Math.max(1, use.limit)} value={Math.min(use.used, use.limit)} aria-label={use.label} />
          )}
        </li>
      ))}
    </ul>
  );
};
