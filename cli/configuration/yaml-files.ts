import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
  type Document,
} from 'yaml';
import { isStorable } from '../../http/media/json-body.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Path } from './paths.ts';

/** A YAML document in a file. */
export interface YamlDocument {
  file: string;
  value: unknown;
  /** Returns the line of a value, or of its nearest parent in the text; 1 is the first line. */
  lineOf: (path: Path) => number;
}

const MAX_BYTES = 32 * 1_048_576;
const MAX_DEPTH = 64;
/** Limits how far nested aliases may expand. */
const MAX_ALIASES = 10_000;
const STANDARD_INPUT = '-';

/**
 * Reads YAML 1.2 documents from files, from the files `*.yaml` and `*.yml` of folders, and from standard input (`-`).
 *
 * @throws OperatorError a file cannot be read, is too large, or is not valid YAML; the message names file and line
 */
export const readYamlFiles = (paths: readonly string[]): YamlDocument[] => {
  const files = paths.flatMap(filesOf);
  const repeated = files.find((file, index) => files.indexOf(file) !== index);
  if (repeated !== undefined) throw new OperatorError(`The file ${nameOf(repeated)} is named twice.`);
  return files.flatMap((file) => parseYaml(contentOf(file), nameOf(file)));
};

const nameOf = (file: string): string => (file === STANDARD_INPUT ? 'standard input' : file);

const filesOf = (path: string): string[] => {
  if (path === STANDARD_INPUT) return [path];
  let names: string[];
  try {
    if (!statSync(path).isDirectory()) return [path];
    names = readdirSync(path)
      .filter((name) => /\.ya?ml$/i.test(name) && !name.startsWith('.'))
      .sort();
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (names.length === 0) throw new OperatorError(`The folder ${path} contains no file *.yaml or *.yml.`);
  return names.map((name) => join(path, name));
};

const contentOf = (file: string): string => {
  let content: Buffer;
  try {
    if (file !== STANDARD_INPUT && statSync(file).size > MAX_BYTES) throw tooLarge(file);
    content = readFileSync(file === STANDARD_INPUT ? 0 : file);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${nameOf(file)} cannot be read: ${(error as Error).message}`);
  }
  if (content.length > MAX_BYTES) throw tooLarge(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new OperatorError(`${nameOf(file)} is not text in UTF-8.`);
  }
};

const tooLarge = (file: string): OperatorError =>
  new OperatorError(`${nameOf(file)} is larger than ${MAX_BYTES / 1_048_576} MiB.`);

/**
 * Parses the YAML documents in a text. Empty documents are left out.
 *
 * @param file name of the file, for messages
 * @throws OperatorError
 */
export const parseYaml = (text: string, file: string): YamlDocument[] => {
  const lines = new LineCounter();
  const deep = new OperatorError(`${file} is nested more than ${MAX_DEPTH} levels deep.`);
  let documents: Document[];
  try {
    const parsed = parseAllDocuments(text, { version: '1.2', merge: true, lineCounter: lines, prettyErrors: false });
    documents = Array.isArray(parsed) ? (parsed as Document[]) : [];
  } catch (error) {
    // The parser is recursive, so very deep nesting exhausts the stack.
    if (error instanceof RangeError) throw deep;
    throw error;
  }
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new OperatorError(`${file}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
    const [warning] = document.warnings;
    if (warning) throw new OperatorError(`${file}:${lines.linePos(warning.pos[0]).line}: ${warning.message}`);
    const invalid = (offset: number | undefined, sentence: string): OperatorError =>
      new OperatorError(`${file}:${lines.linePos(offset ?? 0).line}: ${sentence}`);
    visit(document, {
      Scalar: (_, { value, range }) => {
        if (typeof value === 'string' && !isStorable(value))
          throw invalid(range?.[0], 'Must be Unicode text without NUL characters.');
      },
      Alias: (_, alias, ancestors) => {
        const isNamedAlike = ancestors.some((node) => isCollection(node) && node.anchor === alias.source);
        // The name can have another meaning meanwhile.
        if (isNamedAlike && ancestors.some((node) => node === alias.resolve(document)))
          throw invalid(alias.range?.[0], `The alias "${alias.source}" contains itself.`);
      },
      Collection: (_, node, ancestors) => {
        if (ancestors.filter(isMapOrSeq).length >= MAX_DEPTH) throw deep;
        if (isMap(node) && node.items.some(({ key }) => isNode(key) && !isScalar(key) && isMapOrSeq(key)))
          throw invalid(node.range?.[0], 'The name of a field must be a text.');
      },
    });
    const value = valueOf(document, file);
    if (value === null || value === undefined) return [];
    return [{ file, value, lineOf: (path) => lines.linePos(positionOf(document, path)).line }];
  });
};

const isMapOrSeq = (node: unknown): boolean => isMap(node) || isSeq(node);

const valueOf = (document: Document, file: string): unknown => {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    throw new OperatorError(`${file}: ${(error as Error).message}`);
  }
};

/** Returns the offset in the text of the node at a path, or of its nearest parent that is in the text. */
const positionOf = (document: Document, path: Path): number => {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
};
