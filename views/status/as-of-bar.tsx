import type { JSX } from 'preact';
import { millisecondsOf } from '../../domain/time.ts';
import type { Frame, FramePast } from './frame.ts';
import { Time } from './text-elements.tsx';

interface AsOfBarProps {
  frame: Frame;
  past: FramePast;
  shown: NonNullable<FramePast['shown']>;
}

/** A bar above the content of a page. It says that the page shows a past state, and links to other moments. */
export const AsOfBar = ({ frame, past, shown }: AsOfBarProps): JSX.Element => {
  const { root, here = '', words, times } = frame;
  const labels = words.asOf;
  const step = (query: string | null, label: string): JSX.Element | null =>
    query === null ? null : <a href={`${root}${here}?${query}`}>{label}</a>;
  return (
    <section class="as-of" aria-label={labels.title}>
      <p>
        <strong>
          {labels.notice} <Time at={shown.at} times={times} />
        </strong>{' '}
        <a href={root}>{labels.current}</a>
      </p>
      <MomentForm frame={frame} past={past} at={Math.floor(millisecondsOf(shown.at) / 1_000)} />
      <p class="steps">
        {step(shown.earlier, `‹ ${labels.earlier}`)}
        {step(shown.later, `${labels.later} ›`)}
      </p>
    </section>
  );
};

const MINUTE_S = 60;
/** Number of steps of the slider at most. With a keyboard, the slider is moved step by step. */
const MOST_STEPS = 500;

/**
 * Returns the range of the slider over the moments `from` to `until`, in seconds since 1970. Browsers count steps from
 * `min` on, so `min` is up to one step after `from`, such that the slider can be at `at`.
 */
export const sliderRange = (
  { from, until }: Pick<FramePast, 'from' | 'until'>,
  at: number,
): { min: number; max: number; step: number } => {
  const step = Math.max(1, Math.ceil((until - from) / MOST_STEPS / MINUTE_S)) * MINUTE_S;
  return { min: from + (Math.max(0, at - from) % step), max: until, step };
};

/** A form with a slider over the history of a page. It works without scripts, because its button sends the moment. */
export const MomentForm = ({ frame, past, at }: { frame: Frame; past: FramePast; at: number }): JSX.Element => {
  const { root, here = '', words, times } = frame;
  return (
    <form class="moment" method="get" action={`${root}${here}`}>
      <label>
        {words.asOf.choose}
        <input
          type="range"
          name="at"
          {...sliderRange(past, at)}
          value={at}
          data-moment={times.zone}
          aria-describedby="moment"
        />
      </label>
      <output id="moment" class="muted"></output>
      <button class="button">{words.historyPage.show}</button>
    </form>
  );
};
