import { NotFound } from '../../../domain/errors.ts';
import { headText } from '../../../domain/log/head.ts';
import { STATEMENT_FORMAT, type Statement } from '../../../domain/statement/content.ts';
import { laterOf, type Instant } from '../../../domain/time.ts';
import { readStatementFigures } from '../../../queries/statements/figures.ts';
import type { PastReads } from '../../../projections/past/past-reads.ts';
import { markOf, type PositionTokens } from '../events/position-tokens.ts';

/** The sources of a statement. */
export interface StatementReads {
  past: Pick<PastReads, 'page'>;
  tokens: Pick<PositionTokens, 'encrypt'>;
}

export interface NewStatement {
  organizationId: string;
  pageId: string;
  /** the month of the statement: `2026-10` */
  month: string;
  now: Instant;
}

/**
 * Makes a statement from the events of the page that the log contains now.
 *
 * @throws NotFound the page does not exist, or was deleted
 * @throws Invalid the month is malformed or in the future
 */
export const makeStatement = async (
  { past, tokens }: StatementReads,
  { organizationId, pageId, month, now }: NewStatement,
  signal?: AbortSignal,
): Promise<Statement> => {
  const { events, readAfter, headAfter } = await past.page(organizationId, pageId);
  const last = events.at(-1);
  if (!last) throw new NotFound('There is no such page.');
  // The process that recorded the newest event may have a clock that is ahead of the clock of this process. A statement
  // must not be dated before its events.
  const madeAt = laterOf(now, last.metadata.recorded_at);
  const figures = await readStatementFigures(readAfter(events.length), { pageId, month, madeAt }, signal);
  const head = await headAfter(events.length, signal);
  const position = await tokens.encrypt(organizationId, { position: last.position, mark: markOf(last.id) });
  return { format: STATEMENT_FORMAT, ...figures, log: { position, head: headText(head) } };
};
