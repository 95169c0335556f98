import type { JSX } from 'preact';
import { StateIcon, StatePill, type State } from '../../../views/status/state.tsx';
import { durationOf, Moment, Since } from '../../parts/times/since.tsx';
import { Known } from '../../past/known.tsx';
import { isUnknown } from '../../past/past.ts';
import { language, words } from '../../shell/language.ts';
import { stateOf, type HeartbeatState } from './filter.ts';
import type { Heartbeat } from './source.ts';
import type { Times } from './times.ts';

const SHAPES: Readonly<Record<HeartbeatState, State>> = {
  down: 'major',
  grace: 'degraded',
  up: 'operational',
  pending: 'none',
  paused: 'none',
};

export const shapeOf = (state: HeartbeatState): State => SHAPES[state];

/** The state icon next to a heartbeat's name. */
export const HeartbeatIcon = ({ heartbeat }: { heartbeat: Heartbeat }): JSX.Element => (
  <StateIcon state={shapeOf(stateOf(heartbeat))} />
);

/** The state of a heartbeat, as an icon and a word. */
export const HeartbeatPill = ({ heartbeat }: { heartbeat: Heartbeat }): JSX.Element =>
  isUnknown('status', heartbeat.status) && heartbeat.active ? (
    <StatePill state="none" label={words.value.past.notKnown} />
  ) : (
    <StatePill state={shapeOf(shownState(heartbeat))} label={words.value.heartbeats.states[shownState(heartbeat)]} />
  );

/** Returns the state of a heartbeat. In past states, it is only known whether the heartbeat was paused. */
const shownState = (heartbeat: Heartbeat): HeartbeatState =>
  isUnknown('status', heartbeat.status) ? 'paused' : stateOf(heartbeat);

/** Shows when pings are expected: `every 1 hr`, or a cron expression with its time zone. */
export const ScheduleText = ({ times: { schedule, time_zone, period_seconds } }: { times: Times }): JSX.Element =>
  schedule === null ? (
    <>{words.value.heartbeats.every(durationOf(period_seconds, language.value))}</>
  ) : (
    <span>
      <code>{schedule}</code> <span class="zone">{time_zone}</span>
    </span>
  );

export const LastPing = ({ heartbeat: { last_ping_at } }: { heartbeat: Heartbeat }): JSX.Element => {
  const { ago, never } = words.value.heartbeats;
  return (
    <Known name="last_ping_at" value={last_ping_at}>
      {last_ping_at === null ? never : <Since instant={last_ping_at} as={ago} />}
    </Known>
  );
};

/** Shows when the next ping is expected, or for how long it has been overdue. */
export const NextPing = ({ heartbeat }: { heartbeat: Heartbeat }): JSX.Element => {
  const { next_expected_ping } = heartbeat;
  const { overdue, notExpected } = words.value.heartbeats;
  if (next_expected_ping === null)
    return (
      <Known name="next_expected_ping" value={null}>
        {notExpected}
      </Known>
    );
  const state = stateOf(heartbeat);
  if (state === 'grace') return <Since instant={next_expected_ping} as={overdue} />;
  return <Moment instant={next_expected_ping} />;
};
