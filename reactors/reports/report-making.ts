import { hash } from 'node:crypto';
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises';
import { completeReport, failReport } from '../../commands/reports.ts';
import { derivedUuid, reactorContext, type CommandContext } from '../../commands/engine/context.ts';
import { ConcurrentChange, DomainError, NotFound } from '../../domain/errors.ts';
import { artifactOf } from '../../domain/report/state.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { MEDIA_TYPES } from '../../messages/report/media-types.ts';
import { reports, type ReportDocument } from '../../projections/reports/projection.ts';
import { readReportContent } from '../../queries/reports/content.ts';
import { ArtifactRefused, type Artifact } from '../../stores/artifacts/port.ts';
import type { ReactorContext } from '../context.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';
import { isReadModelLate, isStoreUnavailable } from '../engine/store-errors.ts';

export const REPORTS = 'reports';

/**
 * Maximum number of reports made concurrently. Concurrent reports belong to different organizations, so that an
 * organization with hundreds of reports does not delay other organizations.
 */
const AT_ONCE = 2;
/**
 * A report is due when it is requested. If an item is due more than this time in the future, a wrong clock has set its
 * due time. The reactor then handles the item after this time, instead of at its due time. In milliseconds.
 */
const LONGEST_MS = 60_000;
/** Number of attempts after which a report fails. With backoff, they take more than half a minute. */
const MOST_TRIES = 6;
/** Delay before the next attempt if the read model does not show the report of an item as queued. */
const A_MOMENT_MS = 1_000;

/**
 * Makes the requested reports, one at a time per organization. If the making of a report was interrupted, the report is
 * made again, until its completion is recorded. If an earlier attempt stored a different file, the file is replaced.
 */
export const reportMaking = defineReactor({
  name: REPORTS,
  does: 'makes requested reports',
  countsEarlier: true,
  list: due(reports, 'report_makings', {
    atOnce: AT_ONCE,
    targets: { of: ({ organization_id }) => organization_id, atOnce: 1 },
    longest: LONGEST_MS,
  }),
  act: async ({ id, organization_id: organizationId }, given) => {
    const { handle, read, now, appended, tries, signal } = given;
    const commandId = derivedUuid(`${REPORTS}/${id}`);
    const context = reactorContext(REPORTS, { organizationId, commandId, now, appended });
    const report = await read(reports).reports.get(id);
    if (report?.status !== 'queued') return retryItemAt(millisecondsOf(now) + A_MOMENT_MS);
    try {
      await makeReport(given, report, context, signal);
    } catch (error) {
      signal.throwIfAborted();
      // The report was deleted meanwhile. Its deletion removes it from the list.
      if (error instanceof NotFound) return done();
      const isFinal =
        (error instanceof DomainError && !(error instanceof ConcurrentChange)) || error instanceof ArtifactRefused;
      // Rethrow the error to retry: without limit while a store is unavailable or a read model lags, otherwise up to
      // the maximum number of attempts.
      if (isStoreUnavailable(error) || isReadModelLate(error) || (!isFinal && tries + 1 < MOST_TRIES)) throw error;
      const reason = isFinal
        ? error.message
        : 'The report could not be made because of an internal error. Request it again.';
      await failReport({ handle })(id, reason, context);
    }
    return done();
  },
});

/** Makes a report. @throws NotFound if the report was deleted meanwhile */
const makeReport = async (
  {
    handle,
    read,
    artifacts,
    clock,
    renderReport,
  }: Pick<ReactorContext, 'handle' | 'read' | 'artifacts' | 'clock' | 'renderReport'>,
  report: ReportDocument,
  context: CommandContext,
  signal: AbortSignal,
): Promise<void> => {
  const { organizationId, now } = context;
  // Lets other work on the event loop continue after each part of the content that is read.
  const pause = async (): Promise<void> => {
    signal.throwIfAborted();
    await nextTurnOfLoop();
  };
  const content = await readReportContent({ read, organizationId, now }, report, pause);
  const bytes = await renderReport(content, report.format, signal);
  const { id: artifact_id, size } = await storeFile(artifacts, report, context, bytes);
  try {
    await completeReport({ handle })(
      report.id,
      { artifact_id, size, summary: content.summary },
      { ...context, now: instantOf(clock()) },
    );
  } catch (error) {
    if (error instanceof NotFound) await artifacts.remove(artifact_id);
    throw error;
  }
};

/** Stores the file of a report. Replaces the file of an earlier attempt. */
const storeFile = async (
  artifacts: ReactorContext['artifacts'],
  { id, name, format }: ReportDocument,
  { organizationId: organization_id, now: created_at }: CommandContext,
  bytes: Uint8Array,
): Promise<Artifact> => {
  const head = {
    id: artifactOf(id),
    organization_id,
    run_id: null,
    name: `${name}.${format}`,
    media_type: MEDIA_TYPES[format],
    created_at,
  };
  const artifact = await artifacts.store(head, pieces(bytes));
  if (artifact.sha256 === hash('sha256', bytes)) return artifact;
  await artifacts.remove(head.id);
  return artifacts.store(head, pieces(bytes));
};

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
