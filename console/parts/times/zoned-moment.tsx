import type { JSX } from 'preact';
import { language } from '../../shell/language.ts';
import { Moment } from './since.tsx';
import { agreeAt, ownZone, timeInZone } from './zone.ts';

export interface ZonedMomentProps {
  /** an API time */
  instant: string;
  /** an API time at which the period ends; absent: `instant` is a single time */
  until?: string;
  /** time zone of a status page */
  zone: string;
}

/** Shows a time in the browser's zone, and also in the page's zone if the two local times differ. */
export const ZonedMoment = ({ instant, until, zone }: ZonedMomentProps): JSX.Element => {
  const there = agreeAt(instant, zone, ownZone()) ? null : timeInZone(instant, zone, language.value, until);
  const here = until === undefined ? null : timeInZone(instant, ownZone(), language.value, until);
  return (
    <span class="zoned">
      {here === null ? <Moment instant={instant} /> : <time dateTime={`${instant}Z`}>{here}</time>}
      {there !== null && (
        <span class="fine">
          {there} {zone}
        </span>
      )}
    </span>
  );
};
