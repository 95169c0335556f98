import { isFields, type Fields } from '../../domain/fields.ts';
import { OBJECT_KINDS, PARTS_OF_PAGE } from '../../api/configuration/entries.ts';
import type { Configuration } from './model.ts';
import { InvalidConfiguration, type Locate, type Path, type Problem } from './paths.ts';
import { replaceVariables } from './placeholders.ts';
import { readYamlFiles, type YamlDocument } from './yaml-files.ts';

/** A configuration that was read from files. */
export interface ConfigurationFiles {
  configuration: Configuration;
  locate: Locate;
  /** texts that contain a value of the environment, which may be secret */
  fromEnvironment: ReadonlySet<string>;
}

/** Lists the fields of a file. */
const KINDS = OBJECT_KINDS.filter((kind) => !(PARTS_OF_PAGE as readonly string[]).includes(kind));

/**
 * Reads a configuration from YAML files and folders, and combines their lists. The objects are not validated yet.
 *
 * @throws OperatorError a file cannot be read or is invalid; the message names file, line and field
 */
export const readConfigurationFiles = (
  paths: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ConfigurationFiles => combined(readYamlFiles(paths), environment);

/** Combines documents. @throws InvalidConfiguration */
export const combined = (
  documents: readonly YamlDocument[],
  environment: Readonly<Record<string, string | undefined>>,
): ConfigurationFiles => {
  const lists: Record<string, unknown[]> = {};
  const sources: Record<string, { document: YamlDocument; index: number }[]> = {};
  const fromEnvironment = new Set<string>();
  for (const document of documents) {
    const replaced = replaceVariables(document.value, environment);
    const problems = [...replaced.problems, ...structuralProblems(replaced.value)];
    if (problems.length > 0) {
      throw new InvalidConfiguration(problems, (path) => `${document.file}:${document.lineOf(path)}`);
    }
    for (const text of replaced.fromEnvironment) fromEnvironment.add(text);
    for (const [kind, entries] of Object.entries(replaced.value as Fields)) {
      if (!Array.isArray(entries)) continue;
      (lists[kind] ??= []).push(...(entries as readonly unknown[]));
      (sources[kind] ??= []).push(...entries.map((_, index) => ({ document, index })));
    }
  }
  return { configuration: lists, locate: locateIn(sources), fromEnvironment };
};

const locateIn =
  (sources: Readonly<Record<string, readonly { document: YamlDocument; index: number }[]>>): Locate =>
  ([kind, index, ...rest]: Path) => {
    const source = typeof kind === 'string' && typeof index === 'number' ? sources[kind]?.[index] : undefined;
    if (!source || kind === undefined) return null;
    return `${source.document.file}:${source.document.lineOf([kind, source.index, ...rest])}`;
  };

/** Returns the problems of a document that make it no lists of objects by kind. */
const structuralProblems = (value: unknown): Problem[] => {
  if (!isFields(value)) return [{ path: [], sentence: `Must have fields such as checks. ${knownFields}` }];
  return Object.entries(value).flatMap(([kind, entries]): Problem[] => {
    if (!(KINDS as readonly string[]).includes(kind)) {
      return [{ path: [kind], sentence: `The field is unknown. ${knownFields}` }];
    }
    if (Array.isArray(entries)) return [];
    return [{ path: [kind], sentence: entries === null ? 'Must be a list: [] if there are none.' : 'Must be a list.' }];
  });
};

const knownFields = `A file has the fields ${KINDS.join(', ')}.`;
