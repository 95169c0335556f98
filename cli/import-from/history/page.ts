import { isFields, type Fields } from '../../../domain/fields.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import type { Reference } from '../../configuration/model.ts';
import { NotImportable, type HistoryClient } from './client.ts';

/** A page of the service to which history is imported. */
export interface TargetPage {
  /** path of the page, such as `/v1/pages/k3v9x0q2m7ab` */
  path: string;
  /** components and groups, as the service returns them */
  components: readonly Fields[];
  /** Returns the component that a reference names. @throws NotImportable there is no such component */
  componentOf: (reference: Reference) => Fields & { id: string };
}

const PAGE_SIZE = 100;

/** Finds a page by its name. Returns null if there is none. @throws OperatorError several pages have the name */
export const findTargetPage = async (client: HistoryClient, name: string): Promise<TargetPage | null> => {
  const found: Fields[] = [];
  for (let page = 1; ; page++) {
    const list = await client.get(`/v1/pages?page=${page}&page_size=${PAGE_SIZE}`);
    const { pages, pagination } = isFields(list) ? list : {};
    if (!Array.isArray(pages)) throw new OperatorError('The service returned no list of pages.');
    found.push(...pages.filter(isFields).filter((one) => one['name'] === name));
    if (!isFields(pagination) || pagination['has_next'] !== true) break;
  }
  if (found.length > 1) {
    throw new OperatorError(`${found.length} pages have the name "${name}". Rename all but the one to import into.`);
  }
  const [only] = found;
  if (!only) return null;
  const path = `/v1/pages/${String(only['id'])}`;
  const components = arrayOf(await client.get(`${path}/components`));
  return { path, components, componentOf: componentsByReference(components, name) };
};

/** Returns the objects of a response that is an array. */
export const arrayOf = (response: unknown): Fields[] => (Array.isArray(response) ? response.filter(isFields) : []);

const componentsByReference = (components: readonly Fields[], page: string): TargetPage['componentOf'] => {
  const nameOf = new Map(components.map((one) => [one['id'], one['name']]));
  const single = components.filter((one) => one['group'] !== true);
  return (reference) => {
    const found =
      typeof reference === 'string'
        ? single.filter(({ name }) => name === reference)
        : single.filter(({ name, group_id }) => name === reference.name && nameOf.get(group_id) === reference.group);
    const [component] = found;
    if (component && found.length === 1) return { ...component, id: String(component['id']) };
    const shown = typeof reference === 'string' ? reference : `${reference.group} / ${reference.name}`;
    throw new NotImportable(
      `The page "${page}" has ${component ? 'several components' : 'no component'} named "${shown}".`,
    );
  };
};
