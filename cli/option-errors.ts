import { Conflict, Invalid, NotFound } from '../domain/errors.ts';
import { OperatorError } from '../service/operator-error.ts';

/**
 * Runs a domain command. If a field is invalid, the error message names the option that the field came from.
 *
 * @param options the option of each field: `{ expires_at: '--expires' }`
 * @param lists the given values of fields whose option can be repeated
 * @throws OperatorError its message has a line for each invalid field or list item
 */
export const withOptionNames = async <T>(
  options: Readonly<Record<string, string>>,
  run: () => Promise<T>,
  lists: Readonly<Record<string, readonly string[]>> = {},
): Promise<T> => {
  const named = (path: string): string => {
    const [field = '', index] = path.split('.');
    const given = index === undefined ? undefined : lists[field]?.[Number(index)];
    return `${options[path] ?? options[field] ?? path}${given === undefined ? '' : ` "${given}"`}`;
  };
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Invalid) && !(error instanceof Conflict)) throw error;
    const broken = Object.entries(error.errors.json ?? {});
    throw new OperatorError(
      broken.map(([field, sentences]) => `${named(field)}: ${sentences.join(' ')}`).join('\n') || error.message,
    );
  }
};

/** Returns the error for an `--organization` that does not exist. */
export const noSuchOrganization = (id: string): OperatorError =>
  new OperatorError(`--organization: No organization has the id "${id}".`);

/**
 * Replaces the NotFound of a command on an organization by {@link noSuchOrganization}, and throws any other error
 * unchanged.
 */
export const orNoSuchOrganization =
  (id: string) =>
  (error: unknown): never => {
    throw error instanceof NotFound ? noSuchOrganization(id) : error;
  };
