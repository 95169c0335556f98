import { changedFields } from '../changes.ts';
import { Invalid } from '../errors.ts';
import { noSuch } from '../lifecycle.ts';
import { normalTags } from '../tags.ts';
import type { Instant } from '../time.ts';
import type { HeartbeatEvent, HeartbeatFields } from './events.ts';
import { existing, requireAbsent, type Heartbeat } from './state.ts';
import { scheduleOf, scheduleProblem } from './schedule.ts';
import { shortestPeriodOf } from './timing.ts';

/** What a new heartbeat is set to where nothing was sent. */
export const HEARTBEAT_DEFAULTS = {
  period_seconds: null,
  schedule: null,
  time_zone: 'UTC',
  grace_seconds: 3_600,
  max_duration: null,
  active: true,
} as const satisfies Partial<HeartbeatFields>;

/** The most channels that a heartbeat tells. */
export const MOST_CHANNELS = 50;

/** The longest period, seconds. Two times of a schedule may be further apart. */
export const LONGEST_PERIOD = 90 * 86_400;

/** The sentence for a longer one. */
export const TOO_LONG = `Must be less than or equal to ${LONGEST_PERIOD.toString()}.`;

/** A heartbeat as a caller sends it to be made. */
export type NewHeartbeat = Partial<HeartbeatFields> & Pick<HeartbeatFields, 'name'>;

/** What is wrong with the times of a heartbeat, by field, whether its schedule can be read left aside; or null. */
const timesRefused = ({
  period_seconds,
  schedule,
}: Pick<HeartbeatFields, 'period_seconds' | 'schedule'>): Readonly<Record<string, string[]>> | null => {
  if (period_seconds === null && schedule === null) {
    return { period_seconds: ['Either this or a schedule is needed.'] };
  }
  if (period_seconds !== null && schedule !== null) {
    return { schedule: ['A heartbeat has a period or a schedule, not both: set the other one to null.'] };
  }
  if (period_seconds !== null && period_seconds > LONGEST_PERIOD) {
    return { period_seconds: [TOO_LONG] };
  }
  return null;
};

/** What is wrong with a schedule that is set; null: nothing is, or none is set. One that is set already stays as it is. */
const scheduleRefused = (schedule: string | null = null): Readonly<Record<string, string[]>> | null => {
  const problem = schedule === null ? null : scheduleProblem(schedule);
  return problem === null ? null : { schedule: [problem] };
};

/** @param set what is set of them */
const required = (fields: HeartbeatFields, set: Partial<HeartbeatFields>): HeartbeatFields => {
  const refused = timesRefused(fields) ?? scheduleRefused(set.schedule);
  if (refused) throw new Invalid({ json: refused });
  return fields;
};

/** Whether a number is the one that a heartbeat with this schedule is shown with; false for one that can't be read. */
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
  const fields = required(
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
 * What is sent without the number that stands for a schedule where a heartbeat is shown, for the schedule that is set or
 * the one that is sent: whoever sends back what was read does not mean to set a period.
 */
const withoutShownPeriod = (fields: HeartbeatFields, input: Partial<HeartbeatFields>): Partial<HeartbeatFields> => {
  const { period_seconds, ...others } = input;
  const { schedule = fields.schedule } = input;
  if (fields.schedule === null || schedule === null) return input;
  const isShown = period_seconds === shortestPeriodOf(fields) || isShownPeriod(schedule, period_seconds);
  return isShown ? others : input;
};

/** Changes what differs. @throws NotFound, Invalid */
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
  required({ ...fields, ...changed.changes }, changed.changes);
  return [{ type: 'HeartbeatUpdated', data: { heartbeat_id: id, changed_at: now, ...changed } }];
};

/** Lets channels be told too. @throws NotFound, Invalid they are too many */
export const addChannels = (heartbeat: Heartbeat, ids: readonly string[], now: Instant): HeartbeatEvent[] => {
  const { fields } = existing(heartbeat);
  const channel_ids = [...new Set([...fields.channel_ids, ...ids])];
  if (channel_ids.length > MOST_CHANNELS) {
    throw new Invalid({ json: { channel_ids: [`A heartbeat tells at most ${MOST_CHANNELS.toString()} channels.`] } });
  }
  return updateHeartbeat(heartbeat, { channel_ids }, now);
};

/** Lets a channel no longer be told. @throws NotFound it was not */
export const removeChannel = (heartbeat: Heartbeat, channelId: string, now: Instant): HeartbeatEvent[] => {
  const { fields } = existing(heartbeat);
  if (!fields.channel_ids.includes(channelId)) throw noSuch('channel of this heartbeat');
  return updateHeartbeat(heartbeat, { channel_ids: fields.channel_ids.filter((id) => id !== channelId) }, now);
};

/** @throws NotFound */
export const deleteHeartbeat = (heartbeat: Heartbeat, now: Instant): HeartbeatEvent => ({
  type: 'HeartbeatDeleted',
  data: { heartbeat_id: existing(heartbeat).id, deleted_at: now },
});
