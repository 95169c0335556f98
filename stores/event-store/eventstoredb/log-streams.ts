import { RESULT_CATEGORIES } from '../../../domain/event-types.ts';
import { categoryOf, streamOf } from '../../../domain/decider.ts';

/** Category of the streams of `stores/work-queue/eventstoredb`. They belong to neither of the two logs. */
export const QUEUE_CATEGORY = 'check_runs';

/**
 * A filter on stream names, as the server expects it: a list of prefixes, one of which must match, or a regular
 * expression.
 */
export type StreamFilter = { prefixes: string[] } | { regex: string };

/** The streams of one of the two logs on a server that holds both (docs/develop/stores.md#eventstoredb-log). */
export interface LogStreams {
  /** Returns whether a stream of the server belongs to this log. */
  contains: (serverStream: string) => boolean;
  /**
   * Returns the filter for all streams of the log, or for the given categories; null if none of the categories is in
   * this log. The regular expressions mean the same in .NET, which the server uses, and in JavaScript.
   */
  filter: (categories?: readonly string[]) => StreamFilter | null;
  /** Converts the name of a stream in the log to its name on the server. */
  toServerName: (stream: string) => string;
  /** Converts the name of a stream on the server to its name in the log. */
  toLogName: (serverStream: string) => string;
}

/** The stream of events about the log `results` itself. */
const RESULTS_LOG = streamOf('log', 'results');
const NOT_IN_MAIN = [...RESULT_CATEGORIES, QUEUE_CATEGORY];

/**
 * Matches the category, which follows the prefix in each of Uptrail's stream names. Because a filter contains this
 * pattern, the prefix `uptrail.` does not match the stream `uptrail.b.check-1` of another service. And if the prefix is
 * empty, the filter excludes the server's own streams (`$…`).
 */
const CATEGORY = '[a-z_]+-';
const OURS = new RegExp(`^${CATEGORY}`);

/**
 * Returns the streams of a log. `main` contains all streams whose names begin with the prefix and a category, except
 * queues and results. So a category that only a newer release knows is in `main`, where readers notice it.
 *
 * @param prefix prefix of all stream names of this service on the server, so that several services can share the
 * server; empty if no other service uses it
 */
export const logStreams = (name: 'main' | 'results', prefix: string): LogStreams => {
  const isResult = (stream: string): boolean =>
    RESULT_CATEGORIES.includes(categoryOf(stream)) || stream === RESULTS_LOG;
  const inThisLog =
    name === 'results'
      ? isResult
      : (stream: string): boolean => !isResult(stream) && categoryOf(stream) !== QUEUE_CATEGORY;
  const inLog = (serverStream: string): string => serverStream.slice(prefix.length);
  const prefixesOf = (categories: readonly string[]): string[] => categories.map((category) => `${prefix}${category}-`);

  return {
    contains: (serverStream) =>
      serverStream.startsWith(prefix) && OURS.test(inLog(serverStream)) && inThisLog(inLog(serverStream)),
    filter: (categories) => {
      if (categories) {
        const prefixes = prefixesOf(categories.filter((category) => category === 'log' || inThisLog(`${category}-`)));
        return prefixes.length > 0 ? { prefixes } : null;
      }
      if (name === 'results') return { prefixes: [...prefixesOf(RESULT_CATEGORIES), `${prefix}${RESULTS_LOG}`] };
      const others = [...NOT_IN_MAIN.map((category) => `${category}-`), `${RESULTS_LOG}$`];
      return { regex: `^${escaped(prefix)}(?!${others.join('|')})${CATEGORY}` };
    },
    toServerName: (stream) => `${prefix}${stream}`,
    toLogName: inLog,
  };
};

/** Returns a function that tests whether a stream name matches a filter, by the server's rules. */
export const streamFilterTest = (filter: StreamFilter): ((stream: string) => boolean) => {
  if ('prefixes' in filter) return (stream) => filter.prefixes.some((prefix) => stream.startsWith(prefix));
  const regex = new RegExp(filter.regex);
  return (stream) => regex.test(stream);
};

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, String.raw`\$&`);
