import type { RunRecord } from '../record.ts';
import type { Shown } from './texts.ts';

/** Entries that a result looks at: so many never fit into it. */
const MOST_ENTRIES = 4_000;
/** Characters of a message in a result; all of it is in the full logs. */
const LONGEST_MESSAGE = 8_192;

const LEVELS: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug']);

export interface Entry {
  level: string;
  message: string;
  timestamp: string;
}

/** The output of a script as results show it. */
export interface ShownLogs {
  /** the last ones, if there are more than fit into any result */
  entries: Entry[];
  /** something is left out in `entries` */
  cut: boolean;
  /** all of it as a text file, a line or more for each entry */
  text: () => string;
}

export const shownLogs = ({ logs }: RunRecord, shown: Shown): ShownLogs => {
  const all = logs.map(({ level, message, timestamp }): Entry => ({
    level: LEVELS.has(level) ? level : 'log',
    message: shown(message, Infinity),
    timestamp: timeOf(timestamp),
  }));
  const entries = all
    .slice(-MOST_ENTRIES)
    .map((entry) =>
      entry.message.length > LONGEST_MESSAGE
        ? { ...entry, message: `${entry.message.slice(0, LONGEST_MESSAGE)}…` }
        : entry,
    );
  return {
    entries,
    cut:
      all.length > entries.length || all.slice(-MOST_ENTRIES).some(({ message }) => message.length > LONGEST_MESSAGE),
    text: () => all.map(({ timestamp, level, message }) => `${timestamp} ${level} ${message}\n`).join(''),
  };
};

/** A script may say anything of the time. */
const timeOf = (timestamp: string): string => {
  const time = new Date(timestamp.slice(0, 40));
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
};
