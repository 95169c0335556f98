import { changedFields } from '../changes.ts';
import { Invalid } from '../errors.ts';
import { notFound } from '../existence.ts';
import { normalTags } from '../tags.ts';
import { DAY_SECONDS, HOUR_SECONDS, type Instant } from '../time.ts';
import type { HeartbeatEvent, HeartbeatFields } from './events.ts';
import { existing, requireAbsent, type Heartbeat } from './state.ts';
import { scheduleOf, scheduleProblem } from './schedule.ts';
import { shortestPeriodOf } from './expectation.ts';

/** The defaults of a new heartbeat. */
export const HEARTBEAT_DEFAULTS = {
  period_seconds: null,
  schedule: null,
  time_zone: 'UTC',
  grace_seconds: HOUR_SECONDS,
  max_duration: null,
  active: true,
} as const satisfies Partial<HeartbeatFields>;

/** Maximum number of alert channels of a heartbeat. */
export const MAX_CHANNELS = 50;

/** The maximum period in seconds. The due times of a schedule may be further apart. */
export const MAX_PERIOD_SECONDS = 90 * DAY_SECONDS;
/** The error message for a period that is too long. */
export const PERIOD_TOO_LONG = `Must be less than or equal to ${MAX_PERIOD_SECONDS}.`;

/** The body of a request that creates a heartbeat. */
export type NewHeartbeat = Partial<HeartbeatFields> & Pick<HeartbeatFields, 'name'>;

/**
 * Returns the errors of period and schedule by field; null if there are none. The syntax of the schedule is not
 * checked.
 */
const timesProblems = ({
  period_seconds,
  schedule,
}: Pick<HeartbeatFields, 'period_seconds' | 'schedule'>): Readonly<Record<string, string[]>> | null => {
  if (period_seconds === null && schedule === null) {
    return { period_seconds: ['Either period_seconds or schedule is required.'] };
  }
  if (period_seconds !== null && schedule !== null) {
    return { schedule: ['A heartbeat has a period or a schedule, not both: set the other one to null.'] };
  }
  if (period_seconds !== null && period_seconds > MAX_PERIOD_SECONDS) {
    return { period_seconds: [PERIOD_TOO_LONG] };
  }
  return null;
};

/**
 * Validates a schedule that is being set. Stored schedules are not validated again, because they may have the former
 * syntax.
 *
 * @returns errors by field; null if the schedule is valid or absent
 */
const newScheduleProblems = (schedule: string | null = null): Readonly<Record<string, string[]>> | null => {
  const problem = schedule === null ? null : scheduleProblem(schedule);
  return problem === null ? null : { schedule: [problem] };
};

/** @param set the fields that the request sets @throws Invalid */
const requireValid = (fields: HeartbeatFields, set: Partial<HeartbeatFields>): HeartbeatFields => {
  const refused = timesProblems(fields) ?? newScheduleProblems(set.schedule);
  if (refused) throw new Invalid({ json: refused });
  return fields;
};

/** Whether `seconds` is the `period_seconds` that responses show for a schedule. False for an invalid schedule. */
const isShownPeriod = (schedule: string, seconds: number | null | undefined): boolean =>
  typeof seconds === 'number' &&
  scheduleProblem(schedule) === null &&
  seconds === scheduleOf(schedule).shortestInterval();

/** @throws Conflict, Invalid */
export const createHeartbeat = (
  heartbeat: Heartbeat,
  id: string,
  input: NewHeartbeat,
  now: Instant,
): HeartbeatEvent => {
  requireAbsent(heartbeat);
  const { schedule = null, period_seconds, tags = [] } = input;
  const isCopy = schedule !== null && isShownPeriod(schedule, period_seconds);
  const fields = requireValid(
    {
      ...HEARTBEAT_DEFAULTS,
      channel_ids: [],
      ...input,
      ...(isCopy && { period_seconds: null }),
      tags: normalTags(tags),
    },
    input,
  );
  return { type: 'HeartbeatCreated', data: { heartbeat_id: id, created_at: now, heartbeat: fields } };
};

/**
 * Removes `period_seconds` from an input if it only repeats the number that responses show for the schedule. A client
 * can thus send back a heartbeat as it read it, and the heartbeat keeps its schedule.
 */
const withoutShownPeriod = (fields: HeartbeatFields, input: Partial<HeartbeatFields>): Partial<HeartbeatFields> => {
  const { period_seconds, ...others } = input;
  const { schedule = fields.schedule } = input;
  if (fields.schedule === null || schedule === null) return input;
  const isShown = period_seconds === shortestPeriodOf(fields) || isShownPeriod(schedule, period_seconds);
  return isShown ? others : input;
};

/** Returns an event with the fields of `input` that differ from the current fields. @throws NotFound, Invalid */
export const updateHeartbeat = (
  heartbeat: Heartbeat,
  input: Partial<HeartbeatFields>,
  now: Instant,
): HeartbeatEvent[] => {
  const { id, fields } = existing(heartbeat);
  const { tags } = input;
  const sent = { ...withoutShownPeriod(fields, input), ...(tags && { tags: normalTags(tags) }) };
  const changed = changedFields(fields, sent);
  if (!changed) return [];
  requireValid({ ...fields, ...changed.changes }, changed.changes);
  return [{ type: 'HeartbeatUpdated', data: { heartbeat_id: id, changed_at: now, ...changed } }];
};

/** Adds alert channels. @throws NotFound, Invalid there would be too many channels */
export const addChannels = (heartbeat: Heartbeat, ids: readonly string[], now: Instant): HeartbeatEvent[] => {
  const { fields } = existing(heartbeat);
  const channel_ids = [...new Set([...fields.channel_ids, ...ids])];
  if (channel_ids.length > MAX_CHANNELS) {
    throw new Invalid({ json: { channel_ids: [`A heartbeat can have at most ${MAX_CHANNELS} channels.`] } });
  }
  return updateHeartbeat(heartbeat, { channel_ids }, now);
};

/** Removes an alert channel. @throws NotFound the heartbeat does not have this channel */
export const removeChannel = (heartbeat: Heartbeat, channelId: string, now: Instant): HeartbeatEvent[] => {
  const { fields } = existing(heartbeat);
  if (!fields.channel_ids.includes(channelId)) throw notFound('channel of this heartbeat');
  return updateHeartbeat(heartbeat, { channel_ids: fields.channel_ids.filter((id) => id !== channelId) }, now);
};

/** @throws NotFound */
export const deleteHeartbeat = (heartbeat: Heartbeat, now: Instant): HeartbeatEvent => ({
  type: 'HeartbeatDeleted',
  data: { heartbeat_id: existing(heartbeat).id, deleted_at: now },
});
