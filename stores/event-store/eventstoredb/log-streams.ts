import { RESULT_CATEGORIES } from '../../../domain/event-types.ts';
import { categoryOf, streamOf } from '../../../domain/decider.ts';

/** Category of the streams of `stores/work-queue/eventstoredb`, which belong to neither log. */
export const QUEUE_CATEGORY = 'check_runs';

/** A filter on stream names, in the server's form: any of the prefixes, or a regular expression. */
export type StreamFilter = { prefixes: string[] } | { regex: string };

/** The streams of one of the two logs on a server that holds both (docs/develop/stores.md#eventstoredb-log). */
export interface LogStreams {
  /** Whether a stream of the server is in this log. */
  contains: (serverStream: string) => boolean;
  /**
   * The filter for all streams of the log, or for some categories; null if the log has none of these. The server uses
   * .NET regular expressions, and these mean the same in JavaScript.
   */
  filter: (categories?: readonly string[]) => StreamFilter | null;
  /** Name on the server of a stream of the log. */
  toServerName: (stream: string) => string;
  /** Name in the log of a stream of the server. */
  toLogName: (serverStream: string) => string;
}

/** Stream of events that describe the log of results itself. */
const RESULTS_LOG = streamOf('log', 'results');
const NOT_IN_MAIN = [...RESULT_CATEGORIES, QUEUE_CATEGORY];

/**
 * The category that follows the prefix in each of our stream names. Matching it keeps `uptrail.` from matching the
 * streams of `uptrail.b.`, and excludes the server's own streams (`$…`) when there is no prefix.
 */
const CATEGORY = '[a-z_]+-';
const OURS = new RegExp(`^${CATEGORY}`);

/**
 * Main contains all streams whose names begin with the prefix and a category, except the queues and the streams of
 * results. So a category that only a newer release knows is in main, where it is noticed.
 *
 * @param prefix begins all our stream names on the server, so that services and other programs can share it; empty when
 * the server is ours alone
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

/** Whether a stream name matches a filter, by the server's rules. */
export const streamFilterTest = (filter: StreamFilter): ((stream: string) => boolean) => {
  if ('prefixes' in filter) return (stream) => filter.prefixes.some((prefix) => stream.startsWith(prefix));
  const regex = new RegExp(filter.regex);
  return (stream) => regex.test(stream);
};

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9_]/g, String.raw`\$&`);
