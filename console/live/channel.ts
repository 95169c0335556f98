import type { StreamMessage } from './event-stream-parser.ts';

/** The state of the leader's connection. `opening`: the connection has not failed since the tab became leader. */
export type StreamStatus = 'opening' | 'open' | 'broken';

/** A message from one tab to all other tabs in which the same user has opened the console. */
export type TabMessage =
  /** a follower requests the leader's state */
  | { kind: 'hello' }
  /**
   * the leader's state, sent at regular intervals, after each change, and on request. `position`: id of the newest
   * forwarded message; `last`: time of the newest data from the service, in milliseconds since 1970
   */
  | { kind: 'state'; status: StreamStatus; position: string | null; last: number }
  /** stream messages, forwarded by the leader */
  | { kind: 'messages'; messages: readonly StreamMessage[] }
  /**
   * a tab becomes leader. Of two claims, the later one wins; of two claims at the same time, that of the greater `tab`.
   * Tabs send claims only where the browser has no locks
   */
  | ({ kind: 'claim' } & LeadershipClaim)
  /** the leader gives up leadership; sent only where the browser has no locks */
  | { kind: 'left' };

export interface LeadershipClaim {
  /** time of the claim in milliseconds since 1970; always later than the latest known claim */
  at: number;
  /** a random id of the tab */
  tab: string;
}

/** Connects the tabs. A tab does not receive its own messages. */
export interface TabChannel {
  post: (message: TabMessage) => void;
  /** @returns a function that stops listening */
  listen: (callback: (message: TabMessage) => void) => () => void;
  close: () => void;
}

export const openTabChannel = (name: string): TabChannel => {
  const channel = new BroadcastChannel(name);
  const listeners = new Set<(message: TabMessage) => void>();
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    for (const listener of listeners) listener(data);
  };
  return {
    post: (message) => {
      channel.postMessage(message);
    },
    listen: (callback) => {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
    close: () => {
      channel.close();
    },
  };
};
