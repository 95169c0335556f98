import { Invalid } from '../domain/errors.ts';
import { OperatorError } from '../service/operator-error.ts';

/**
 * Runs a command of the domain. An error about a field names the option that the field came from.
 *
 * @param options the option of each field, `{ expires_at: '--expires' }`
 * @throws OperatorError a line for each broken field
 */
export const namingOptions = async <T>(
  options: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const broken = Object.entries(error.errors.json ?? {});
    throw new OperatorError(
      broken.map(([field, sentences]) => `${options[field] ?? field}: ${sentences.join(' ')}`).join('\n') ||
        error.message,
    );
  }
};
