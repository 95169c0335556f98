import { OperatorError } from '../../../service/operator-error.ts';
import { isMapping, placeOf, type Mapping } from '../read-yaml.ts';
import type { Draft } from './draft.ts';
import { listIn } from './fields.ts';

/** An entry of a list in a file. */
export interface Entry {
  value: Mapping;
  /** its position: `endpoint 8 of config.yaml` */
  position: string;
}

/** Reads the entries of lists one by one, so that an odd entry does not prevent the import of the others. */
export interface EntryReader {
  /** Returns the entries of a list that are mappings. @throws OperatorError the value is not a list */
  entriesIn: (mapping: Mapping, key: string, list: { noun: string; file: string }) => Entry[];
  /** Reads an entry. If that fails, what was added of it is removed, and a sentence names it. Returns null then. */
  read: <T>(entry: Entry, convert: (value: Mapping) => T) => T | null;
  /** @throws OperatorError not a single entry could be read; the message is about the first one */
  finish: () => void;
}

export const createEntryReader = (draft: Draft): EntryReader => {
  let first: OperatorError | null = null;
  let done = 0;
  const leaveOut = (position: string, error: OperatorError): null => {
    first ??= error;
    draft.note(`The ${position} was left out: ${error.message}`);
    return null;
  };
  return {
    entriesIn: (mapping, key, { noun, file }) => {
      const list = listIn(mapping, key);
      return list.flatMap((value, index): Entry[] => {
        const position = `${noun} ${index + 1} of ${file}`;
        if (isMapping(value)) return [{ value, position }];
        leaveOut(position, new OperatorError(`${placeOf(list, index)}: ${index} of ${key} must be a mapping.`));
        return [];
      });
    },
    read: ({ value, position }, convert) => {
      try {
        const converted = draft.attempt(() => convert(value));
        done += 1;
        return converted;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return leaveOut(position, error);
      }
    },
    finish: () => {
      if (first && done === 0) throw first;
    },
  };
};
