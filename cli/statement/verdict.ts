import { markOf } from '../../api/v1/events/position-tokens.ts';
import { parseHead } from '../../domain/log/head.ts';
import type { Statement } from '../../domain/statement/content.ts';
import type { Instant } from '../../domain/time.ts';
import { attachedStatement, isPdf } from '../../messages/statement/attachment.ts';
import { parseStatement, verifyStatement, type Verdict } from '../../queries/statements/verify.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { organizationOfPage, type StatementSources } from './sources.ts';

/** Returns the statement in a file. @throws OperatorError the file is no statement */
export const statementIn = (content: Buffer, file: string): Statement => {
  const json = isPdf(content) ? attachedStatement(content) : content;
  const statement = json && parseStatement(json.toString('utf8'));
  if (!statement) throw new OperatorError(`${file} is not a statement that Uptrail has made.`);
  return statement;
};

export interface VerdictOptions {
  now: Instant;
  signal?: AbortSignal;
  /** whether to ignore the position, because the keys that encrypted the position are lost */
  withoutPosition?: boolean;
}

/** Verifies a statement, and the file that contains it. */
export const verdictOn = async (
  statement: Statement,
  content: Buffer,
  sources: StatementSources,
  { now, signal, withoutPosition = false }: VerdictOptions,
): Promise<{ verdict: Verdict; organizationId: string | null }> => {
  const notProven = (...reasons: string[]): Verdict => ({ verdict: 'not_proven', reasons });
  const { id } = statement.page;
  const organizationId = await organizationOfPage(sources.main, id);
  if (organizationId === null) return { verdict: notProven(`The log has no page with the id ${id}.`), organizationId };
  const history = await sources.past.page(organizationId, id);
  const verdict = await verifyStatement(statement, history, now, signal);
  if (verdict.verdict === 'not_proven') return { verdict, organizationId };
  const last = history.events[(parseHead(statement.log.head)?.events ?? 0) - 1];
  const position = await sources.tokens.decrypt(organizationId, statement.log.position);
  // An export and import of the log changes positions, but not the ids of events, from which marks are derived.
  if (!withoutPosition && (!position || !last || position.mark !== markOf(last.id)))
    return { verdict: notProven(position ? OTHER_POSITION : UNREADABLE_POSITION), organizationId };
  if (isPdf(content) && !(await isUnaltered(statement, content)))
    return { verdict: notProven(ALTERED_PDF), organizationId };
  return { verdict, organizationId };
};

const OTHER_POSITION = 'log.position is not that of the last event that the head covers.';

const UNREADABLE_POSITION =
  'log.position is not a position that the keys of this deployment encrypted: it was altered, or the deployment had other keys. If those keys are lost, verify everything else with --without-position.';

const ALTERED_PDF =
  'The pages of the PDF are not those that this release makes from the attached figures: the file was altered, or made by another release. To verify the figures alone, save the attachment and verify it.';

/** Tests whether the pages of a PDF show the attached figures, and nothing else. */
const isUnaltered = async (statement: Statement, content: Buffer): Promise<boolean> => {
  const { statementPdf } = await import('../../messages/statement/pdf.ts');
  return content.equals(await statementPdf(statement));
};
