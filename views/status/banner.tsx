import type { JSX } from 'preact';
import type { Instant } from '../../domain/time.ts';
import type { StatusIndicator } from '../../messages/status-indicator.ts';
import { wordsFor } from '../../messages/words/index.ts';
import type { Frame } from './frame.ts';
import { stateOfIndicator, StateIcon } from './state.tsx';
import { Time, RelativeTime } from './text-elements.tsx';

export interface BannerProps {
  indicator: StatusIndicator;
  /** the first names of what is affected */
  affected: readonly string[];
  /** how many more are affected */
  more: number;
  /** when it began; null: unknown, or nothing is wrong */
  since: Instant | null;
  /** when anything on the page last changed */
  updated: Instant | null;
  /** whether checks report failures that no incident covers */
  unconfirmed: boolean;
}

/** The overall state, at the top of the page. */
export const Banner = ({ frame, ...shown }: BannerProps & { frame: Frame }): JSX.Element => {
  const { words, language, times } = frame;
  const { indicator, affected, more, since, updated, unconfirmed } = shown;
  const state = stateOfIndicator(indicator);
  return (
    <section class={`banner tint-${state}`} data-live="banner">
      <StateIcon state={state} />
      <div>
        <h1 data-summary>{wordsFor(language).pageStatus[indicator]}</h1>
        {affected.length > 0 && (
          <p>
            {words.banner.affected}
            {wordsFor(language).colon}
            {affected.map((name, index) => (
              <>
                {index > 0 && ', '}
                <bdi>{name}</bdi>
              </>
            ))}
            {more > 0 && ` ${words.banner.more(more)}`}
          </p>
        )}
        {unconfirmed && <p>{words.banner.unconfirmed}</p>}
        <p class="meta">
          {since !== null && (
            <span>
              {words.banner.since} <Time at={since} times={times} />
            </span>
          )}
          {updated !== null && (
            <span>
              {words.banner.updated} <RelativeTime at={updated} times={times} />
            </span>
          )}
        </p>
      </div>
    </section>
  );
};
