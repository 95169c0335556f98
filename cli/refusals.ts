import { Conflict, Invalid, NotFound } from '../domain/errors.ts';
import { OperatorError } from '../service/operator-error.ts';

/**
 * Runs a command of the domain. An error about a field names the option that the field came from.
 *
 * @param options the option of each field, `{ expires_at: '--expires' }`
 * @param lists of fields whose option may be given several times, what was given
 * @throws OperatorError a line for each broken field, and for each broken item of a list
 */
export const namingOptions = async <T>(
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

/** `--organization` names none. */
export const noOrganization = (id: string): OperatorError =>
  new OperatorError(`--organization: There is no organization with the id "${id}".`);

/** Handles the error of a command on an organization: not found is {@link noOrganization}, any other stays. */
export const orNoOrganization =
  (id: string) =>
  (error: unknown): never => {
    throw error instanceof NotFound ? noOrganization(id) : error;
  };
