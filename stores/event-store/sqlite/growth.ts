import { resolve } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { createGrowth } from '../follow.ts';

/**
 * Milliseconds between two checks for commits of other processes, because some processes can't announce their commits.
 */
const POLL = 2_000;

/** Returns the name of the broadcast channel on which the thread that writes a log announces its commits. */
export const channelName = (name: string, file: string): string => `uptrail:${name}:${resolve(file)}`;

/** Announces to all threads of this process that another process has appended to a log. */
export const announceGrowth = (name: string, file: string): void => {
  const channel = new BroadcastChannel(channelName(name, file));
  channel.postMessage(null);
  channel.close();
};

/**
 * Creates a LogGrowth that notices the commits of all threads and processes. The thread that writes the log announces
 * its commits on a broadcast channel; `announceGrowth` announces the commits of other processes. In addition, while a
 * reader waits, this function reads `data_version` every two seconds, because a commit of another process changes it.
 */
export const createSqliteGrowth = (name: string, file: string, dataVersion: () => number) => {
  let seen = Number.NaN;
  let channel: BroadcastChannel | undefined;
  const look = (): void => {
    let version = Number.NaN;
    try {
      version = dataVersion();
    } catch {
      // If `dataVersion` fails, `version` stays NaN, which differs from the previous version. So the waiting reader
      // reads the log and gets the same error.
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
