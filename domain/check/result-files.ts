import type { Fields } from '../fields.ts';
import { valueAtPath, pathsIn } from './json-paths.ts';
import type { CheckTypeName } from './events.ts';
import { checkTypeOf } from './types/index.ts';

/**
 * Returns the file references in a result's metadata. Only the paths that the check type defines can contain
 * references.
 */
export const referencesIn = (metadata: Fields, type: CheckTypeName): string[] =>
  referencePaths(metadata, type).map((path) => String(valueAtPath(metadata, path)));

/**
 * Returns metadata in which every file reference is replaced. If `replacement` returns null, the object that contains
 * the reference is removed from its parent array or object. The given metadata is not modified.
 */
export const withReferences = (
  metadata: Fields,
  type: CheckTypeName,
  replacement: (reference: string) => string | null,
): Fields => {
  const paths = referencePaths(metadata, type);
  if (paths.length === 0) return metadata;
  const copy = structuredClone(metadata);
  // In reverse order, because the removal of an array element changes the indexes of the elements after it.
  for (const path of paths.reverse()) {
    const file = valueAtPath(copy, path.slice(0, -1)) as Fields;
    const replaced = replacement(String(file[path.at(-1) ?? '']));
    if (replaced === null) remove(copy, path.slice(0, -1));
    else file[path.at(-1) ?? ''] = replaced;
  }
  return copy;
};

const referencePaths = (metadata: Fields, type: CheckTypeName): string[][] =>
  checkTypeOf(type).files.flatMap((pattern) => pathsIn(metadata, pattern));

const remove = (fields: Fields, path: readonly string[]): void => {
  const [parent, name] = [valueAtPath(fields, path.slice(0, -1)), path.at(-1) ?? ''];
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent as Fields, name);
};
