import type { JSX } from 'preact';
import { staleness } from '../live/live.ts';
import { language, words } from './language.ts';

/** Shows that the displayed data may be stale, and how old it is. */
export const StaleBadge = (): JSX.Element => {
  const stale = staleness.value;
  const times = new Intl.DateTimeFormat(language.value, { timeStyle: 'medium' });
  return (
    <span class="stale" role="status">
      {stale && (
        <span class="badge">
          {words.value.shell.reconnecting} <time dateTime={stale.last.toISOString()}>{times.format(stale.last)}</time>
        </span>
      )}
    </span>
  );
};
