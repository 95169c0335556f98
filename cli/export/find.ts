import { isFields, type Fields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Client } from '../apply/client.ts';

/** Finds a page by its id, subdomain or name. @throws OperatorError there is none, or several have the name */
export const findPage = async (client: Client, text: string): Promise<Fields & { id: string }> => {
  const pages = await client.list('/v1/pages', 'pages');
  const exact = pages.find((page) => page['id'] === text || page['subdomain'] === text.toLowerCase());
  const named = pages.filter(({ name }) => name === text);
  return only(exact ? [exact] : named, 'page', text, 'subdomain');
};

/** Finds a check by its id or name. @throws OperatorError there is none, or several have the name */
export const findCheck = async (client: Client, text: string): Promise<Fields & { id: string }> => {
  const checks = await client.list('/v1/checks', 'checks');
  const exact = checks.find(({ id }) => id === text);
  return only(exact ? [exact] : checks.filter(({ name }) => name === text), 'check', text, 'id');
};

const only = (found: readonly Fields[], kind: string, text: string, other: string): Fields & { id: string } => {
  const [one] = found;
  if (!one) throw new OperatorError(`No ${kind} has the id or name "${text}".`);
  if (found.length > 1) throw new OperatorError(`${found.length} ${kind}s have the name "${text}". Use the ${other}.`);
  return { ...one, id: String(one['id']) };
};

/** Reads a list of a page, newest first, in parts. Items that are added meanwhile are not in it. */
export const readInParts = async function* (
  client: Pick<Client, 'get'>,
  path: string,
  key: string,
): AsyncGenerator<Fields[]> {
  const separator = path.includes('?') ? '&' : '?';
  let until = '';
  for (let page = 1; ; page++) {
    const response = await client.get(`${path}${separator}page=${page}&page_size=100${until}`);
    const { [key]: found, pagination } = isFields(response) ? response : {};
    const items = Array.isArray(found) ? found.filter(isFields) : [];
    if (page === 1 && items[0]) until = `&created_until=${String(items[0]['created_at'])}`;
    yield items;
    if (!isFields(pagination) || pagination['has_next'] !== true) return;
  }
};
