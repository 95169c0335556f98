import { resolve } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { createGrowth } from '../follow.ts';

/** Milliseconds between two checks for commits of other processes, which may be unable to announce them. */
const POLL = 2_000;

/** Name of the broadcast channel on which the thread that writes a log announces its commits. */
export const channelName = (name: string, file: string): string => `uptrail:${name}:${resolve(file)}`;

/** Announces to all threads of this process that another process has appended to a log. */
export const announceGrowth = (name: string, file: string): void => {
  const channel = new BroadcastChannel(channelName(name, file));
  channel.postMessage(null);
  channel.close();
};

/**
 * Notices that a log has grown. The thread that writes it announces commits by broadcast, and so does a thread that was
 * notified (`announceGrowth`). While anyone waits, `data_version` is also checked every two seconds, since commits of
 * other processes change it too.
 */
export const createSqliteGrowth = (name: string, file: string, dataVersion: () => number) => {
  let seen = Number.NaN;
  let channel: BroadcastChannel | undefined;
  const look = (): void => {
    let version = Number.NaN;
    try {
      version = dataVersion();
    } catch {
      // The waiting reader then reads the log and gets the same error.
    }
    if (version === seen) return;
    seen = version;
    growth.grew();
  };
  const listen = (): BroadcastChannel => {
    const opened = new BroadcastChannel(channelName(name, file));
    opened.onmessage = () => {
      growth.grew();
    };
    opened.unref();
    return opened;
  };
  const growth = createGrowth(() => {
    channel ??= listen();
    const timer = setInterval(look, POLL);
    return () => {
      clearInterval(timer);
    };
  });
  return {
    ...growth,
    get count() {
      return growth.count;
    },
    get closed() {
      return growth.closed;
    },
    close: () => {
      growth.close();
      channel?.close();
    },
  };
};
