import type { Schemas } from '../api/openapi.d.ts';
import { ROOT } from '../place.ts';

/*
 * The tabs of one browser share a session: its cookie, and by messages among them the access token, which is in the
 * memory of each and nowhere else.
 */

/** Somebody who has signed in. */
export interface SignedIn {
  /** the access token */
  access: string;
  /** when it ends, milliseconds since 1970 */
  endsAt: number;
  user: Schemas['User'];
  /** whether the user may see how the service is */
  operatesService: boolean;
}

/** What a tab tells the others. */
export type News =
  /** a session was begun or refreshed */
  | { kind: 'session'; session: SignedIn }
  /** the session has ended */
  | { kind: 'ended' }
  /** a tab was opened and found no session */
  | { kind: 'none found' };

const channel = new BroadcastChannel(`uptrail ${ROOT}`);

/** Tells the other tabs. */
export const tellTabs = (news: News): void => {
  channel.postMessage(news);
};

/** Calls back with what other tabs tell. */
export const hearTabs = (callback: (news: News) => void): void => {
  channel.onmessage = ({ data }: MessageEvent<News>) => {
    callback(data);
  };
};

/**
 * Does something while no other tab does. Browsers have locks over https and on loopback only; elsewhere tabs may do it
 * at the same time, which the service allows for (POST /v1/session/refresh).
 */
export const alone = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(`uptrail ${ROOT} session`, work) : work();
