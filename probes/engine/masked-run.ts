import { inspect } from 'node:util';
import { LocalFailure } from '../../network/local-failure.ts';
import { RunAborted, type Outcome, type Run } from './check-type.ts';
import { maskedTexts, type Mask } from './masking.ts';
import { maskOfSecrets } from './secret-texts.ts';

/**
 * Wraps a run so that neither its outcome nor its errors contain the value of a secret that its check is bound to. A
 * check type that shortens texts must mask the texts before it does so, because half a secret is not recognised.
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

/** Masks secrets in an outcome. */
export const maskedOutcome = (outcome: Outcome, mask: Mask): Outcome => ({
  ...outcome,
  error_message: outcome.error_message === null ? null : mask(outcome.error_message),
  check_metadata: maskedTexts(outcome.check_metadata, mask),
});

/** Returns the error itself if it contains no secret; otherwise a LocalFailure with a masked message. */
const maskedError = (error: unknown, mask: Mask): unknown => {
  if (error instanceof RunAborted) return error;
  const said = inspect(error);
  return mask(said) === said ? error : new LocalFailure(mask(error instanceof Error ? error.message : said));
};
