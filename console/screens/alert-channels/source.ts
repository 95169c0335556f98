import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import type { Channel } from './draft.ts';

/** All channels, newest first. */
export const CHANNELS: LiveSource<readonly Channel[]> = {
  load: (signal) => call('GET /v1/alerts/channels', {}, { signal }),
  resources: ['alert_channel'],
  merge: () => null,
};
