import type { RunRecord } from '../record.ts';
import type { ShowText } from './texts.ts';

/** Maximum number of entries. A result never has room for more entries. */
const MOST_ENTRIES = 4_000;
/** Maximum length of a message in a result, in characters. The file with the full logs contains the whole message. */
const LONGEST_MESSAGE = 8_192;

const LEVELS: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug']);

export interface Entry {
  level: string;
  message: string;
  timestamp: string;
}

/** The output of a script, as results show it. */
export interface ShownLogs {
  /** the entries; only the newest if there are too many for a result */
  entries: Entry[];
  /** whether `entries` is incomplete */
  cut: boolean;
  /** Returns the full output as text, with one or more lines per entry. */
  text: () => string;
}

export const shownLogs = ({ logs }: RunRecord, shown: ShowText): ShownLogs => {
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

/** Validates a timestamp, because a script can send any text. Returns an empty text if it is invalid. */
const timeOf = (timestamp: string): string => {
  const time = new Date(timestamp.slice(0, 40));
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
};
