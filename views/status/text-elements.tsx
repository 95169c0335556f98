import type { JSX } from 'preact';
import type { Instant } from '../../domain/time.ts';
import { cachedHtml } from '../../messages/markdown/html-cache.ts';
import { machineTime, type PageTimes } from './times.ts';

/**
 * Markdown that users have written, as sanitised HTML (messages/markdown). All other markup on pages is created by
 * components.
 */
export const Markdown = ({ text, topHeading = 4 }: { text: string; topHeading?: 2 | 3 | 4 }): JSX.Element => (
  <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: cachedHtml(text, topHeading) }} />
);

interface TimeProps {
  at: Instant;
  times: PageTimes;
}

/** A time. If the visitor has chosen the time zone of the browser, a script shows the time in that time zone. */
export const Time = ({ at, times }: TimeProps): JSX.Element => (
  <time datetime={machineTime(at)} data-time="moment">
    {times.moment(at)}
  </time>
);

/** A time. A script adds how long ago the time was. */
export const RelativeTime = ({ at, times }: TimeProps): JSX.Element => (
  <time datetime={machineTime(at)} data-time="moment" data-relative="">
    {times.moment(at)}
  </time>
);

/** A period. */
export const TimeSpan = ({ from, until, times }: { from: Instant; until: Instant; times: PageTimes }): JSX.Element => (
  <span data-time="span" data-from={machineTime(from)} data-until={machineTime(until)}>
    {times.span(from, until)}
  </span>
);
