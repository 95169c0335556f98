import { ENTRY_SCHEMAS, OBJECT_KINDS, PARTS_OF_PAGE, type ObjectKind } from '../../api/configuration/entries.ts';
import { definitionBodyErrors } from '../../api/v1/checks/validation.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { compile, type Validate } from '../../http/routes/validate.ts';
import { WHOLE_KEY, type FieldMessages } from '../../http/validation-messages.ts';
import { keyOf, labelOf, type FullReference } from './kinds.ts';
import type { Configuration } from './model.ts';
import { InvalidConfiguration, type Locate, type Path, type Problem } from './paths.ts';

/** An object of a configuration. */
export interface ConfiguredObject {
  kind: ObjectKind;
  /** path of the object in the configuration */
  path: Path;
  /** name of the page of a component or component group; null for other kinds */
  page: string | null;
  /** fields as in files, without the parts of a page and without `formerly` */
  fields: Fields;
  /** previous name, or previous group and name */
  formerly: string | FullReference | null;
}

const isPart = (kind: ObjectKind): boolean => (PARTS_OF_PAGE as readonly ObjectKind[]).includes(kind);

/**
 * Returns all objects of a configuration, in the order in which they can be created.
 *
 * @throws InvalidConfiguration a field is invalid, or two objects have the same key
 */
export const objectsOf = (configuration: Configuration, locate: Locate = () => null): ConfiguredObject[] => {
  const problems: Problem[] = [];
  const objects = OBJECT_KINDS.flatMap((kind) =>
    isPart(kind)
      ? listAt(configuration, 'pages').flatMap((page, index) =>
          listAt(page, kind).flatMap((entry, n) =>
            objectOf(kind, entry, ['pages', index, kind, n], isFields(page) ? page['name'] : null, problems),
          ),
        )
      : listAt(configuration, kind).flatMap((entry, n) => objectOf(kind, entry, [kind, n], null, problems)),
  );
  problems.push(...duplicates(objects, locate));
  if (problems.length > 0) throw new InvalidConfiguration(problems, locate);
  return objects;
};

const listAt = (value: unknown, kind: ObjectKind): readonly unknown[] => {
  const list = isFields(value) ? value[kind] : undefined;
  return Array.isArray(list) ? list : [];
};

const objectOf = (
  kind: ObjectKind,
  entry: unknown,
  path: Path,
  page: unknown,
  problems: Problem[],
): ConfiguredObject[] => {
  if (!isFields(entry)) {
    problems.push({ path, sentence: 'Must be an object with fields such as name.' });
    return [];
  }
  const own = kind === 'pages' ? without(entry, PARTS_OF_PAGE) : entry;
  const found = kind === 'pages' ? partProblems(entry, path) : [];
  found.push(...unknownFields(kind, own, path), ...fieldProblems(kind, own, path));
  problems.push(...found);
  if (found.length > 0) return [];
  return [
    {
      kind,
      path,
      page: typeof page === 'string' ? page : null,
      fields: without(own, ['formerly']),
      formerly: formerlyOf(own['formerly']),
    },
  ];
};

const formerlyOf = (formerly: unknown): ConfiguredObject['formerly'] => {
  if (!isFields(formerly)) return typeof formerly === 'string' ? formerly : null;
  const { group, name } = formerly;
  return { group: typeof group === 'string' ? group : null, name: String(name) };
};

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

const partProblems = (page: Fields, path: Path): Problem[] =>
  PARTS_OF_PAGE.filter((kind) => page[kind] !== undefined && !Array.isArray(page[kind])).map((kind) => ({
    path: [...path, kind],
    sentence: 'Must be a list.',
  }));

const unknownFields = (kind: ObjectKind, fields: Fields, path: Path): Problem[] => {
  const known = Object.keys(ENTRY_SCHEMAS[kind].properties);
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: [...path, name],
      sentence: `The field is unknown. The fields are ${[...known, ...(kind === 'pages' ? PARTS_OF_PAGE : [])].join(', ')}.`,
    }));
};

const validators = new Map<ObjectKind, Validate>();

const validatorOf = (kind: ObjectKind): Validate => {
  const validate = validators.get(kind) ?? compile(ENTRY_SCHEMAS[kind]);
  validators.set(kind, validate);
  return validate;
};

const fieldProblems = (kind: ObjectKind, fields: Fields, path: Path): Problem[] => {
  // Validation replaces times in the value and cuts lists that are too long.
  const copy = structuredClone(fields);
  const messages: FieldMessages = {
    ...(kind === 'checks' && definitionBodyErrors(without(copy, ['secrets']))),
    ...validatorOf(kind)(copy),
  };
  return Object.entries(messages).map(([field, sentences]) => ({
    path: field === WHOLE_KEY ? path : [...path, ...partsOf(field, fields)],
    sentence: sentences.join(' '),
  }));
};

/** Splits the path of a field, whose names may contain dots. */
const partsOf = (field: string, value: unknown): Path => {
  if (field === '') return [];
  const names = Array.isArray(value)
    ? value.map((_, index) => String(index))
    : isFields(value)
      ? Object.keys(value)
      : [];
  const [name] = names
    .filter((one) => field === one || field.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length);
  if (name === undefined) return field.split('.');
  const child = Array.isArray(value) ? (value as unknown[])[Number(name)] : (value as Fields)[name];
  return [Array.isArray(value) ? Number(name) : name, ...partsOf(field.slice(name.length + 1), child)];
};

const duplicates = (objects: readonly ConfiguredObject[], locate: Locate): Problem[] => {
  const known = new Map<string, ConfiguredObject>();
  return objects.flatMap((object) => {
    const key = `${object.kind} ${keyOf(object.kind, object.fields, object.page)}`;
    const other = known.get(key);
    if (!other) {
      known.set(key, object);
      return [];
    }
    const place = locate(other.path);
    const where = place === null ? '' : ` The other one is at ${place}.`;
    const sentence = `Another ${labelOf(object.kind, object.fields, object.page)} exists.${where} Give one of them another name.`;
    return [{ path: object.path, sentence }];
  });
};
