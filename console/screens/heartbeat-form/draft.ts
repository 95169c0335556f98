import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';

/** A heartbeat as the form has it. */
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

/** What a new heartbeat begins with: a nightly job is what most are for. */
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

/** @param time_zone what the form offers where the heartbeat has a period */
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

/** What is sent of a draft. An empty field is left out or null, so that the service says what it thinks of that. */
export const bodyOf = (draft: Draft): Body => {
  const { kind, period_seconds, schedule, time_zone, grace_seconds, ...others } = draft;
  return {
    ...others,
    name: draft.name.trim(),
    ...(kind === 'period'
      ? { period_seconds, schedule: null }
      : { period_seconds: null, schedule: schedule.trim(), time_zone: time_zone.trim() }),
    // Zero is refused with the shortest grace that there may be.
    grace_seconds: grace_seconds ?? 0,
  };
};
