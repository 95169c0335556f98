import { unstorableContent } from '../../http/media/json-body.ts';
import type { Ended, OfflineResult, Receipt, Report, SentOutcome, SentResult } from '../../runners/remote/protocol.ts';
import type { Reporter } from './session.ts';
import { isOfflineResult, isSentResult } from './schemas.ts';
import type { StagedFiles } from './staged-files.ts';
import type { UnawaitedResults } from './unawaited-results.ts';
import type { Tickets } from './tickets.ts';

/** Maximum length of an outcome's metadata as JSON, in characters. The metadata of genuine probes is far shorter. */
const MAX_METADATA = 400_000;

export interface ReportsOptions {
  tickets: Tickets;
  strays: UnawaitedResults;
  files: StagedFiles;
  /** returns milliseconds since 1970 */
  clock: () => number;
}

/**
 * Creates a function that stores the report of a runner.
 *
 * @returns a function whose promise resolves when each result of the report is stored or rejected
 * @throws StoreUnavailable some results currently can't be stored, so the runner has to send the whole report again
 */
export const takeReport =
  ({ tickets, strays, files, clock }: ReportsOptions) =>
  async (session: Reporter, report: Report): Promise<Receipt> => {
    session.noteReport(report);
    const received = clock();

    const takeStray = async (result: SentResult): Promise<string | null> => {
      const ticket = await tickets.read(result.ticket, session.runner.id);
      if (!ticket) return NOT_GIVEN;
      // Without an outcome there is nothing to store. The run is given to another runner, unless another runner already
      // has it.
      if (!('outcome' in result)) return null;
      const endedAt = received - result.age_ms;
      return strays.take({ ticket, outcome: result.outcome, server: session.server(), endedAt });
    };

    const takeResult = async (sent: unknown): Promise<string | null> => {
      const delivery = deliveryIn(sent);
      if (delivery !== null && session.has(delivery)) {
        const wrong = wrongIn(sent, isSentResult);
        const ended: Ended = wrong === null ? await withFiles(sent as SentResult) : { trouble: wrong };
        await session.take(delivery, ended);
        return wrong;
      }
      const wrong = wrongIn(sent, isSentResult);
      return wrong ?? takeStray(sent as SentResult);
    };

    const withFiles = async (result: SentResult): Promise<Ended> => {
      if (!('outcome' in result) || !result.outcome.files) return result;
      const { files: named, ...outcome } = result.outcome;
      const uploaded = await files.of(session.id, result.delivery, named);
      const all: SentOutcome = { ...outcome, ...(uploaded.length > 0 && { files: uploaded }) };
      return { outcome: all };
    };

    const takeOffline = async (sent: unknown): Promise<string | null> => {
      const wrong = wrongIn(sent, isOfflineResult);
      if (wrong !== null) return wrong;
      const offline = sent as OfflineResult;
      const given = await tickets.read(offline.ticket, session.runner.id);
      if (!given) return NOT_GIVEN;
      const ticket = strays.runOf(given, offline);
      if (typeof ticket === 'string') return ticket;
      const { outcome, ended_at: endedAt } = offline;
      return strays.take({ ticket, outcome, server: session.server(), endedAt });
    };

    const [results, offline] = await Promise.all([
      Promise.all(report.results.map(takeResult)),
      Promise.all(report.offline.map(takeOffline)),
    ]);
    return {
      clock: clock(),
      refused: [...refusedIn('results', results), ...refusedIn('offline', offline)],
    };
  };

const NOT_GIVEN = 'This runner was not given the run.';

const refusedIn = (list: 'results' | 'offline', reasons: readonly (string | null)[]): Receipt['refused'] =>
  reasons.flatMap((reason, index) => (reason === null ? [] : [{ list, index, reason }]));

const deliveryIn = (sent: unknown): string | null => {
  const { delivery } = (sent ?? {}) as { delivery?: unknown };
  return typeof delivery === 'string' ? delivery : null;
};

/** Returns what is wrong with a result, as a sentence; null if the result is valid. */
const wrongIn = (sent: unknown, isForm: (value: unknown) => boolean): string | null => {
  if (!isForm(sent)) return 'The runner has sent an invalid result.';
  const { unstorable, crowded } = unstorableContent(sent);
  if (unstorable ?? crowded) return 'The runner has sent a result that cannot be stored.';
  const { outcome } = sent as { outcome?: SentOutcome };
  if (outcome && JSON.stringify(outcome.check_metadata).length > MAX_METADATA)
    return 'The runner has sent a result that is too large.';
  return null;
};
