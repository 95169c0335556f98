import { OperatorError } from '../../../service/operator-error.ts';
import { isMapping, placedLike, placeOf, type Mapping } from '../read-yaml.ts';

/**
 * Merges the files of a configuration, as Gatus merges the files of a folder: lists are concatenated and mappings are
 * merged.
 *
 * @throws OperatorError two files set the same field to different values
 */
export const mergeFiles = (files: readonly Mapping[]): Mapping => {
  const [first = {}, ...others] = files;
  return others.reduce(merged, first);
};

const merged = (left: Mapping, right: Mapping): Mapping => {
  const result = Object.assign(Object.create(null), left) as Record<string, unknown>;
  for (const [key, value] of Object.entries(right)) {
    const before = result[key];
    if (before === undefined || before === null) result[key] = value;
    else if (Array.isArray(before) && Array.isArray(value))
      result[key] = placedLike([...(before as unknown[]), ...(value as unknown[])], before);
    else if (isMapping(before) && isMapping(value)) result[key] = merged(before, value);
    else if (value !== null && before !== value)
      throw new OperatorError(`${placeOf(right, key)}: ${key} is also set in ${placeOf(left, key)}.`);
  }
  return placedLike(result, left, right);
};
