import { inspect } from 'node:util';
import { OwnTrouble } from '../../network/own-trouble.ts';
import { RunAborted, type Outcome, type Run } from './check-type.ts';
import { maskedTexts, type Mask } from './masking.ts';
import { maskOfSecrets } from './secret-texts.ts';

/**
 * A run that gives back no value of a secret that its check is bound to: not in what it says, and not in what it throws.
 * A type that cuts texts masks them itself before it does, since half a secret is not found.
 */
export const maskedRun =
  (run: Run): Run =>
  async (check, context) => {
    if (Object.keys(check.secrets).length === 0) return run(check, context);
    const mask = maskOfSecrets(check.secrets);
    try {
      return maskedOutcome(await run(check, context), mask);
    } catch (error) {
      throw maskedError(error, mask);
    }
  };

/** An outcome without secrets. */
export const maskedOutcome = (outcome: Outcome, mask: Mask): Outcome => ({
  ...outcome,
  error_message: outcome.error_message === null ? null : mask(outcome.error_message),
  check_metadata: maskedTexts(outcome.check_metadata, mask),
});

/** What was thrown, if nothing in it has to be masked; else an error of the kind that says only what may be said. */
const maskedError = (error: unknown, mask: Mask): unknown => {
  if (error instanceof RunAborted) return error;
  const said = inspect(error);
  return mask(said) === said ? error : new OwnTrouble(mask(error instanceof Error ? error.message : said));
};
