import { isFields } from '../../domain/fields.ts';
import type { Ended, OfflineResult, Report, SentResult } from './protocol.ts';

/** A result that the service has not confirmed. */
export interface UnreportedResult {
  /** the list of the report that contains the result */
  list: 'results' | 'offline';
  /** the list element as JSON; `age_ms` is added when the result is sent */
  text: string;
  /** size of `text` */
  bytes: number;
  /** when the run ended, by the clock of the service, milliseconds since 1970 */
  endedAt: number;
}

const unsent = (list: UnreportedResult['list'], item: object, endedAt: number): UnreportedResult => {
  const text = JSON.stringify(item);
  return { list, text, bytes: Buffer.byteLength(text), endedAt };
};

export const resultToSend = (
  ended: Ended,
  { delivery, ticket }: Pick<SentResult, 'delivery' | 'ticket'>,
  endedAt: number,
): UnreportedResult => unsent('results', { delivery, ticket, ...ended }, endedAt);

export const offlineToSend = (result: OfflineResult): UnreportedResult => unsent('offline', result, result.ended_at);

/** Size of a report without results, in bytes. ITEM_BYTES is the overhead per result. */
export const REPORT_BYTES = 512;
export const ITEM_BYTES = 32;

/** Returns a report as JSON. @param now the time of the service's clock, milliseconds since 1970 */
export const reportOf = (
  head: Pick<Report, 'clock' | 'clock_offset_ms' | 'load'>,
  all: readonly UnreportedResult[],
  now: number,
): string => {
  const results = all.filter(({ list }) => list === 'results').map((one) => withAge(one, now));
  const offline = all.filter(({ list }) => list === 'offline').map(({ text }) => text);
  return `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(',')}],"offline":[${offline.join(',')}]}`;
};

const withAge = ({ text, endedAt }: UnreportedResult, now: number): string =>
  `${text.slice(0, -1)},"age_ms":${Math.max(0, Math.round(now - endedAt))}}`;

/** Formats a result as a line of a spool. The line contains no line break. */
export const formatSpoolLine = ({ list, text, endedAt }: UnreportedResult): string =>
  `{"list":"${list}","ended_at":${endedAt},"item":${text}}`;

/** Parses a line of a spool. @returns null if the line is damaged, for example the last one after a power failure */
export const parseSpoolLine = (line: string): UnreportedResult | null => {
  try {
    const { list, ended_at: endedAt, item } = JSON.parse(line) as Record<string, unknown>;
    const isList = list === 'results' || list === 'offline';
    return isList && typeof endedAt === 'number' && isFields(item) ? unsent(list, item, endedAt) : null;
  } catch {
    return null;
  }
};
