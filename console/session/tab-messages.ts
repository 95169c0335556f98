import type { Schemas } from '../api/openapi.d.ts';
import { CONSOLE_PATH } from '../urls.ts';

/* The tabs of a browser share a session: its cookie and, through messages, the access token, which exists only in the
   memory of the tabs. */

/** A signed-in user. */
export interface SignedIn {
  /** the access token */
  access: string;
  /** expiry of the access token, in milliseconds since 1970 */
  endsAt: number;
  user: Schemas['User'];
  /** whether the user is allowed to see the state of the service */
  operatesService: boolean;
}

/** A message between tabs. */
export type SessionMessage =
  /** a session was started or refreshed */
  | { kind: 'session'; session: SignedIn }
  /** the session has ended */
  | { kind: 'ended' }
  /** a newly opened tab found no session */
  | { kind: 'none found' };

const channel = new BroadcastChannel(`uptrail ${CONSOLE_PATH}`);

/** Sends a message to all other tabs. */
export const broadcastToTabs = (news: SessionMessage): void => {
  channel.postMessage(news);
};

/** Calls `callback` for messages from other tabs. */
export const onTabMessage = (callback: (news: SessionMessage) => void): void => {
  channel.onmessage = ({ data }: MessageEvent<SessionMessage>) => {
    callback(data);
  };
};

/**
 * Runs `work` in one tab at a time. Browsers provide locks only over https and on loopback. Without locks, several tabs
 * may run `work` concurrently. The service tolerates this (POST /v1/session/refresh).
 */
export const runExclusively = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(`uptrail ${CONSOLE_PATH} session`, work) : work();
