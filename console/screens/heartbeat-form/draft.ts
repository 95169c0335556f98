import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';

/** The values of the heartbeat form. */
export interface Draft {
  name: string;
  tags: readonly string[];
  kind: 'period' | 'schedule';
  /** seconds; null: the field is empty */
  period_seconds: number | null;
  schedule: string;
  time_zone: string;
  grace_seconds: number | null;
  max_duration: number | null;
  active: boolean;
}

/** Returns the initial values of a new heartbeat. They suit a nightly job. */
export const newDraft = (time_zone: string): Draft => ({
  name: '',
  tags: [],
  kind: 'period',
  period_seconds: 86_400,
  schedule: '0 3 * * *',
  time_zone,
  grace_seconds: 3_600,
  max_duration: null,
  active: true,
});

/**
 * Returns the form values of a heartbeat.
 *
 * @param time_zone initial time zone if the heartbeat has a period and thus no time zone of its own
 */
export const draftOf = (heartbeat: Schemas['HeartbeatRow'], time_zone: string): Draft => {
  const { schedule, period_seconds, name, tags, grace_seconds, max_duration, active } = heartbeat;
  const isScheduled = schedule !== null;
  return {
    name,
    tags,
    kind: isScheduled ? 'schedule' : 'period',
    period_seconds: isScheduled ? 86_400 : period_seconds,
    schedule: schedule ?? '0 3 * * *',
    time_zone: isScheduled ? heartbeat.time_zone : time_zone,
    grace_seconds,
    max_duration,
    active,
  };
};

type Body = RequestOf<'POST /v1/heartbeats'>['body'];

/** Returns the request body for a draft. The API reports empty fields. */
export const bodyOf = (draft: Draft): Body => {
  const { kind, period_seconds, schedule, time_zone, grace_seconds, ...others } = draft;
  return {
    ...others,
    name: draft.name.trim(),
    ...(kind === 'period'
      ? { period_seconds, schedule: null }
      : { period_seconds: null, schedule: schedule.trim(), time_zone: time_zone.trim() }),
    // An empty grace period is sent as zero, which the API rejects with a message that names the minimum.
    grace_seconds: grace_seconds ?? 0,
  };
};
