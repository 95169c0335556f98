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
          min={past.from}
          max={past.until}
          step={60}
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
