import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { CopyLine } from '../../parts/copy-line.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Link } from '../../parts/link.tsx';
import { Known } from '../../past/known.tsx';
import { isUnknown } from '../../past/past.ts';
import { shownTime } from '../../parts/times/shown-time.ts';
import { clockText, momentText, ownTimeZone } from '../../parts/times/moment-text.ts';
import { durationOf, Moment } from '../../parts/times/since.tsx';
import { language, words } from '../../shell/language.ts';
import { LastPing, NextPing, ScheduleText } from '../heartbeats/state.tsx';
import { expectedTimes } from '../heartbeats/times.ts';
import { absoluteAddress } from './address.ts';

/** Shows times in a time zone, and also in the browser's zone if the two zones differ. */
export const NextTimes = ({ times, zone }: { times: readonly number[]; zone: string }): JSX.Element => {
  const own = ownTimeZone();
  return (
    <ol class="times">
      {times.map((time) => {
        const [there, here] = [momentText(time, language.value, zone), momentText(time, language.value)];
        return (
          <li key={time}>
            <time dateTime={new Date(time).toISOString()}>{there}</time>
            {here !== there && (
              <span class="fine">
                {clockText(time, language.value)} {own}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
};

/** The schedule of a heartbeat, and its next expected pings. */
export const Times = ({ heartbeat }: { heartbeat: Schemas['Heartbeat'] }): JSX.Element => {
  const { heartbeats: says, common } = words.value;
  const { schedule, time_zone, grace_seconds, max_duration, tags, created_at, ping_url, next_expected_ping } =
    heartbeat;
  const duration = (seconds: number | null): string =>
    seconds === null ? common.none : durationOf(seconds, language.value);
  const times = expectedTimes(heartbeat, shownTime());
  return (
    <section>
      <h2>{says.form.when}</h2>
      <Facts
        facts={[
          [says.schedule, <ScheduleText times={heartbeat} />],
          [says.grace, duration(grace_seconds)],
          [says.maxDuration, duration(max_duration)],
          [says.lastPing, <LastPing heartbeat={heartbeat} />],
          [says.nextPing, <NextPing heartbeat={heartbeat} />],
          [
            says.nextTimes,
            times === null ? (
              <Known name="next_expected_ping" value={next_expected_ping}>
                {says.noTimes}
              </Known>
            ) : (
              <>
                <p class="fine">{schedule === null ? says.nextTimesPeriod : says.nextTimesIn(time_zone)}</p>
                <NextTimes times={times} zone={schedule === null ? ownTimeZone() : time_zone} />
              </>
            ),
          ],
          [
            says.tags,
            tags.length === 0
              ? common.none
              : tags.map((tag) => (
                  <span key={tag}>
                    <Link to={`/heartbeats?filter=tag:${tag}`}>{tag}</Link>{' '}
                  </span>
                )),
          ],
          [common.created, <Moment instant={created_at} />],
        ]}
      />
      <h3>{says.address}</h3>
      {isUnknown('ping_url', ping_url) ? (
        <p class="fine">{words.value.past.notKnown}</p>
      ) : (
        <>
          <CopyLine text={absoluteAddress(ping_url)} label={says.address} />
          <p class="hint">{says.addressHint}</p>
        </>
      )}
    </section>
  );
};
