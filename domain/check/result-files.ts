import type { Fields } from '../fields.ts';
import { at, pathsIn } from './paths.ts';
import type { CheckTypeName } from './events.ts';
import { checkTypeOf } from './types/index.ts';

/** The references in a result's metadata, in the places where its type has them, and nowhere else. */
export const referencesIn = (metadata: Fields, type: CheckTypeName): string[] =>
  placesIn(metadata, type).map((path) => String(at(metadata, path)));

/**
 * A copy with every reference replaced by what is found for it. What names a file for which nothing is found is left
 * out: an element of an array, or a field.
 */
export const withReferences = (
  metadata: Fields,
  type: CheckTypeName,
  replacement: (reference: string) => string | null,
): Fields => {
  const places = placesIn(metadata, type);
  if (places.length === 0) return metadata;
  const copy = structuredClone(metadata);
  // From the last to the first, so that places before one that is left out stay where they are.
  for (const path of places.reverse()) {
    const file = at(copy, path.slice(0, -1)) as Fields;
    const found = replacement(String(file[path.at(-1) ?? '']));
    if (found === null) leaveOut(copy, path.slice(0, -1));
    else file[path.at(-1) ?? ''] = found;
  }
  return copy;
};

const placesIn = (metadata: Fields, type: CheckTypeName): string[][] =>
  checkTypeOf(type).files.flatMap((pattern) => pathsIn(metadata, pattern));

const leaveOut = (fields: Fields, path: readonly string[]): void => {
  const [parent, name] = [at(fields, path.slice(0, -1)), path.at(-1) ?? ''];
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent as Fields, name);
};
