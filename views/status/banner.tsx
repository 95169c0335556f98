import type { JSX } from 'preact';
import type { Instant } from '../../domain/time.ts';
import type { StatusIndicator } from '../../messages/status-indicator.ts';
import { wordsFor } from '../../messages/words/index.ts';
import type { Frame } from './frame.ts';
import { stateOfIndicator, StateIcon } from './state.tsx';
import { Time, RelativeTime } from './text-elements.tsx';

export interface BannerProps {
  indicator: StatusIndicator;
  /** names of affected components or incidents; only the first few */
  affected: readonly string[];
  /** number of further affected components or incidents */
  more: number;
  /** time when the problem began; null: the time is unknown, or there is no problem */
  since: Instant | null;
  /** time of the latest change of the page */
  updated: Instant | null;
  /** whether checks report failures that no incident mentions */
  unconfirmed: boolean;
}

/** The overall state of a page, shown at its top. */
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
