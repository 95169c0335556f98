import { isFields, type Fields } from '../../../domain/fields.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { instantOf, objectsOf, textOf } from './values.ts';

/** The objects of all files, each once. */
export interface Documents {
  page: Fields | null;
  components: readonly Fields[];
  component_groups: readonly Fields[];
  incidents: readonly Fields[];
  incident_templates: readonly Fields[];
  subscribers: readonly Fields[];
  /** parts of the files that are not imported, such as `metrics` */
  ignored: readonly string[];
}

type Kind = Exclude<keyof Documents, 'page' | 'ignored'>;

/** Names of lists in files. The public interface has maintenances in a list of their own. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['components', 'components'],
  ['component_groups', 'component_groups'],
  ['incidents', 'incidents'],
  ['scheduled_maintenances', 'incidents'],
  ['incident_templates', 'incident_templates'],
  ['templates', 'incident_templates'],
  ['subscribers', 'subscribers'],
]);

/** Parts of files that contain nothing to import. */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(['page', 'incident', 'status', 'meta', 'errors']);

/** Returns the kind of an item in an array that one endpoint returned; null if no endpoint returns such items. */
const kindOf = (item: Fields): Kind | 'page' | null => {
  if ('incident_updates' in item) return 'incidents';
  if ('update_status' in item || 'should_send_notifications' in item) return 'incident_templates';
  if ('mode' in item || 'quarantined_at' in item || 'endpoint' in item) return 'subscribers';
  if ('only_show_if_degraded' in item || 'showcase' in item || ('status' in item && 'name' in item)) {
    return 'components';
  }
  if (Array.isArray(item['components'])) return 'component_groups';
  return 'subdomain' in item || 'page_description' in item || 'time_zone' in item ? 'page' : null;
};

/**
 * Collects the objects of JSON files: the answers of Statuspage's interfaces, or one object with several of them. An
 * object that several files contain is taken from the file in which it was updated last.
 *
 * @throws OperatorError a file is no JSON, or is not from Statuspage, or there are several pages
 */
export const documentsIn = (files: readonly { name: string; text: string }[]): Documents => {
  const found = new Map<Kind, Map<string, Fields>>([...KINDS.values()].map((kind) => [kind, new Map()]));
  const ignored = new Set<string>();
  let page: Fields | null = null;
  const addPage = (item: Fields): void => {
    if (page && textOf(page['id']) !== textOf(item['id'])) {
      throw new OperatorError(
        `The files contain the pages "${String(page['name'])}" and "${String(item['name'])}". Import one page at a time.`,
      );
    }
    page = { ...page, ...item };
  };
  const add = (kind: Kind, item: Fields): void => {
    const items = found.get(kind);
    if (!items) return;
    const id = textOf(item['id']) ?? `without id ${items.size}`;
    items.set(id, newer(items.get(id), item));
  };
  for (const file of files) {
    const content = parsed(file);
    let known = false;
    for (const item of Array.isArray(content) ? objectsOf(content) : []) {
      const kind = kindOf(item);
      if (kind === 'page') addPage(item);
      else if (kind) add(kind, item);
      known ||= kind !== null;
    }
    for (const [name, value] of isFields(content) ? Object.entries(content) : []) {
      const kind = KINDS.get(name);
      for (const item of kind ? objectsOf(value) : []) add(kind ?? 'incidents', item);
      if (name === 'page' && isFields(value)) addPage(value);
      else if (name === 'incident' && isFields(value)) add('incidents', value);
      else if (!kind && !WITHOUT_CONTENT.has(name) && typeof value === 'object') ignored.add(name);
      known ||= kind !== undefined || name === 'page' || name === 'incident';
    }
    if (!known && isFields(content) && kindOf(content) === 'page') addPage(content);
    else if (!known && !(Array.isArray(content) && content.length === 0)) throw notStatuspage(file.name);
    if (!known) ignored.clear();
  }
  const of = (kind: Kind): Fields[] => [...(found.get(kind)?.values() ?? [])];
  return {
    page,
    components: of('components'),
    component_groups: of('component_groups'),
    incidents: of('incidents'),
    incident_templates: of('incident_templates'),
    subscribers: of('subscribers'),
    ignored: [...ignored],
  };
};

/** Merges two forms of an object, since the public interface lacks fields that the other one has. */
const newer = (before: Fields | undefined, item: Fields): Fields => {
  if (!before) return item;
  const isOlder = (instantOf(item['updated_at']) ?? '') < (instantOf(before['updated_at']) ?? '');
  return isOlder ? { ...item, ...before } : { ...before, ...item };
};

const parsed = ({ name, text }: { name: string; text: string }): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw new OperatorError(`${name} is not valid JSON: ${(error as Error).message}`);
  }
};

const notStatuspage = (name: string): OperatorError =>
  new OperatorError(
    `${name} contains nothing of Statuspage. It must be an object with page, components, component_groups, incidents, ` +
      'incident_templates or subscribers, or the answer of one of these endpoints.',
  );
