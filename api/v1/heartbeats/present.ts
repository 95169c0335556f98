import { Type, type Static } from '@sinclair/typebox';
import { shortestPeriodOf } from '../../../domain/heartbeat/expectation.ts';
import type { JoinedHeartbeat } from '../../../queries/heartbeats/heartbeats.ts';
import type { Ping as OpenedPing } from '../../../queries/heartbeats/pings.ts';
import { createPresenter } from '../../presenter.ts';
import { Heartbeat, Ping } from './schema.ts';

const ping = createPresenter(Ping, ['check_id', 'duration', 'ping_data']);
const heartbeat = createPresenter(Type.Omit(Heartbeat, ['recent_pings']), ['period_seconds', 'ping_url']);

export const presentPing = (shown: OpenedPing): Static<typeof Ping> =>
  ping(shown, {
    check_id: shown.heartbeat_id,
    duration: shown.duration === null ? null : shown.duration / 1_000,
    ping_data: shown.ping_data as Record<string, unknown> | null,
  });

/** Returns the path that receives the pings of a heartbeat. */
export const pingPath = (id: string): string => `/v1/heartbeats/${id}/ping`;

/** @param addressOf returns the public URL of a path */
export const presentHeartbeat = (
  shown: JoinedHeartbeat,
  addressOf: (path: string) => string,
  recent?: readonly OpenedPing[],
): Static<typeof Heartbeat> => {
  const computed = { period_seconds: shortestPeriodOf(shown), ping_url: addressOf(pingPath(shown.id)) };
  const presented = heartbeat(shown, computed);
  return { ...presented, ...(recent && { recent_pings: recent.map(presentPing) }) };
};
