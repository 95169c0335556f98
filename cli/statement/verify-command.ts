import { readFile, stat } from 'node:fs/promises';
import { instantOf } from '../../domain/time.ts';
import type { Verdict } from '../../queries/statements/verify.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { writeVerdict } from './report.ts';
import { organizationEvents, withStatementSources } from './sources.ts';
import { statementIn, verdictOn } from './verdict.ts';

export interface VerifyOptions {
  file: string;
  json: boolean;
  /** whether to ignore the position, because the keys that encrypted the position are lost */
  withoutPosition: boolean;
  signal: AbortSignal;
}

/** Exit codes, by verdict. */
const CODES: Readonly<Record<Verdict['verdict'], number>> = { unchanged: 0, not_proven: 1, changed: 2 };

/** Maximum size of a file, in bytes. A statement of 1,000 components has less than 10 MB. */
const LARGEST_FILE = 256 * 1_024 * 1_024;

/**
 * `uptrail statement verify`: proves a statement from the log.
 *
 * @returns the exit code: 0 proven and unchanged, 1 not proven, 2 later edits change it
 * @throws OperatorError the file is no statement
 */
export const runVerifyStatement = async (
  config: Config,
  { file, json, withoutPosition, signal }: VerifyOptions,
  output: Output,
): Promise<number> => {
  const content = await readStatementFile(file);
  const statement = statementIn(content, file);
  return withStatementSources(config, signal, async (sources) => {
    const { verdict, organizationId } = await verdictOn(statement, content, sources, {
      now: instantOf(Date.now()),
      signal,
      withoutPosition,
    });
    const callers = organizationId === null ? [] : await organizationEvents(sources.main, organizationId);
    await writeVerdict({ statement, verdict, callers, json }, output);
    return CODES[verdict.verdict];
  });
};

const readStatementFile = async (file: string): Promise<Buffer> => {
  try {
    const { size } = await stat(file);
    if (size > LARGEST_FILE) throw new OperatorError(`${file} is too large for a statement.`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
};
