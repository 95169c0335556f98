import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from './log.ts';

export type Filter = (stored: StoredEvent) => boolean;

/** Returns the filter of a read of `$all`, or null if the read has none. */
export const filterOf = (options: ReadReq.Options.FilterOptions | undefined): Filter | null => {
  if (!options) return null;
  const byType = options.getEventType();
  const expression = byType ?? options.getStreamIdentifier();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = new RegExp(expression?.getRegex() ?? '');
  const passes = (text: string): boolean =>
    prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
  return ({ type, stream }) => passes(byType ? type : stream);
};

/** Returns how many events a filtered subscription scans between two checkpoints. */
export const checkpointInterval = (options: ReadReq.Options.FilterOptions | undefined): number => {
  const window = options?.hasMax() === true ? options.getMax() : 32;
  return window * Math.max(1, options?.getCheckpointintervalmultiplier() ?? 1);
};
