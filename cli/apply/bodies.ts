import type { ObjectKind } from '../../api/configuration/entries.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { IDENTITIES } from '../configuration/kinds.ts';
import type { Directory } from './directory.ts';

type IdOf = (kind: ObjectKind, reference: unknown, page?: string | null) => string;

/**
 * Returns the body of a request that creates or changes an object.
 *
 * @param fields as in files, with complete references; for a change only the changed fields
 * @param page name of the page of a component or component group
 * @throws OperatorError an object that the fields refer to does not exist, because it could not be created
 */
export const bodyOf = (kind: ObjectKind, fields: Fields, page: string | null, directory: Directory): Fields => {
  const idOf: IdOf = (of, reference, ofPage = null) => {
    const id = directory.idOf(of, reference, ofPage);
    if (id !== null) return id;
    const name = isFields(reference) ? reference['name'] : reference;
    throw new OperatorError(`The ${IDENTITIES[of].noun} "${String(name)}" does not exist.`);
  };
  return BODIES[kind]?.(fields, idOf, page) ?? fields;
};

/** Adds a field if another one is present. */
const replaced = (fields: Fields, name: string, field: string, id: (reference: unknown) => string): Fields => {
  const { [name]: reference, ...others } = fields;
  if (reference === undefined) return others;
  return { ...others, [field]: reference === null ? null : id(reference) };
};

const BODIES: Readonly<Partial<Record<ObjectKind, (fields: Fields, idOf: IdOf, page: string | null) => Fields>>> = {
  secrets: ({ name, value }) => ({ ...(name !== undefined && { secret_name: name }), secret_value: value }),
  checks: (fields, idOf) => {
    const { secrets, ...others } = replaced(fields, 'group', 'group_id', (name) => idOf('check_groups', name));
    if (!Array.isArray(secrets)) return others;
    const bindings = (secrets as { secret: string; env_variable: string }[]).map(({ secret, env_variable }) => ({
      secret_id: idOf('secrets', secret),
      env_variable,
    }));
    return { ...others, secrets: bindings };
  },
  components: (fields, idOf, page) => {
    const grouped = replaced(fields, 'group', 'group_id', (name) => idOf('component_groups', name, page));
    return oneOf(
      replaced(grouped, 'check', 'check_id', (check) => idOf('checks', check)),
      'check_id',
      'check_tag',
    );
  },
  channels: (fields, idOf) => {
    const { configuration } = fields;
    if (!isFields(configuration) || configuration['component'] === undefined) return fields;
    const { page, component, ...others } = configuration;
    const page_id = idOf('pages', page);
    return {
      ...fields,
      configuration: { ...others, page_id, component_id: idOf('components', component, String(page)) },
    };
  },
  rules: (fields, idOf) => {
    const { channels, ...others } = replaced(fields, 'check', 'check_id', (check) => idOf('checks', check));
    return {
      ...oneOf(others, 'check_id', 'tag'),
      ...(Array.isArray(channels) && { channel_ids: channels.map((name) => idOf('channels', name)) }),
    };
  },
  // Channels of a heartbeat have requests of their own.
  heartbeats: (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'channels')),
  incident_templates: (fields, idOf) => {
    const { components, ...others } = replaced(fields, 'page', 'page_id', (name) => idOf('pages', name));
    if (!Array.isArray(components)) return others;
    const { page } = fields;
    const statuses = (components as { component: unknown; status: string }[]).map(({ component, status }) => [
      idOf('components', component, typeof page === 'string' ? page : null),
      status,
    ]);
    return { ...others, components: Object.fromEntries(statuses) as Fields };
  },
};

/** Removes the null of two fields that exclude each other, since setting one of them clears the other. */
const oneOf = (fields: Fields, one: string, other: string): Fields => {
  const [a, b] = [fields[one], fields[other]];
  if (a === undefined || b === undefined || (a !== null) === (b !== null)) return fields;
  const cleared = a === null ? one : other;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== cleared));
};
