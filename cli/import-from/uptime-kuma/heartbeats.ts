import { MAX_CHANNELS } from '../../../domain/heartbeat/decide.ts';
import type { HeartbeatEntry } from '../../configuration/model.ts';
import type { Remarks } from '../remarks.ts';
import { isOn, number, type Row } from '../rows.ts';
import type { Group } from './groups.ts';
import { secondsBetween } from './monitors/time-limit.ts';

const SHORTEST_PERIOD = 60;
const LONGEST_PERIOD = 7_776_000;
const SHORTEST_GRACE = 60;

interface HeartbeatParts {
  tags: string[];
  /** channels of the monitor, then those of its groups */
  channels: string[];
  group: Group | undefined;
  remarks: Remarks;
}

/** Maps a push monitor to a heartbeat. */
export const heartbeatOf = (
  row: Row,
  name: string,
  { tags, channels, group, remarks }: HeartbeatParts,
): HeartbeatEntry => {
  const seconds = secondsBetween({ row });
  const period = Math.min(LONGEST_PERIOD, Math.max(SHORTEST_PERIOD, Math.round(seconds)));
  if (seconds < SHORTEST_PERIOD) {
    remarks.about(
      name,
      `expects a ping every ${SHORTEST_PERIOD} s, which is the shortest period, instead of every ${seconds} s.`,
    );
  }
  const retries = Math.max(0, number(row, 'maxretries') ?? 0);
  const grace = retries * (number(row, 'retry_interval') || seconds);
  const isUpsideDown = isOn(row, 'upside_down');
  if (isUpsideDown) {
    remarks.about(
      name,
      'was imported paused, because heartbeats have no upside-down mode. Let the job report a failure to /ping/fail.',
    );
  }
  const isActive = isOn(row, 'active', true);
  const isGroupPaused = group?.active === false;
  if (isActive && isGroupPaused) {
    remarks.about(
      name,
      'was imported paused, because its group is paused. Heartbeats have no groups, so activate the heartbeat itself.',
    );
  }
  return {
    name,
    period_seconds: period,
    grace_seconds: Math.min(LONGEST_PERIOD, Math.max(SHORTEST_GRACE, Math.round(grace))),
    active: isActive && !isUpsideDown && !isGroupPaused,
    tags,
    channels: [...new Set(channels)].slice(0, MAX_CHANNELS),
  };
};
