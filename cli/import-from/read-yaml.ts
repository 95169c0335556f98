import { isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, parseDocument, type Document, type Scalar } from 'yaml';
import { isFields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';

/** A file that an importer reads. */
export interface SourceFile {
  /** the name that error messages show */
  name: string;
  text: string;
}

/** A mapping of a file. Its values are texts, numbers, booleans, null, arrays and mappings. */
export type Mapping = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 2_000_000;
/** Maximum number of values in a file. A value counts each time an alias repeats it. */
const MAX_VALUES = 500_000;
const MAX_DEPTH = 50;

interface Place {
  file: string;
  /** line of the mapping or array */
  line: number;
  /** lines of the values, by key or index */
  lines: ReadonlyMap<string, number>;
  /** further mappings from which the values come */
  others?: readonly object[];
}

const places = new WeakMap<object, Place>();

/** Returns the place of a mapping or array, or of one of its values, for error messages: `config.yaml, line 12`. */
export const placeOf = (container: object, key?: string | number): string => {
  const place = places.get(container);
  if (!place) return 'The file';
  const name = String(key);
  const other = place.lines.has(name) ? undefined : place.others?.find((one) => places.get(one)?.lines.has(name));
  if (other) return placeOf(other, key);
  const line = (key === undefined ? undefined : place.lines.get(name)) ?? place.line;
  return `${place.file}, line ${line}`;
};

/** Gives a mapping that an importer builds itself the places of the mappings that it derives from. */
export const placedLike = <T extends object>(derived: T, origin: object, ...others: readonly object[]): T => {
  const place = places.get(origin);
  if (place)
    places.set(derived, others.length > 0 ? { ...place, others: [...(place.others ?? []), ...others] } : place);
  return derived;
};

/**
 * Parses a YAML file. All scalars are texts as they are written, except for null: programs that decode YAML into typed
 * fields read `1.10` as a text where they expect a text.
 *
 * @returns null for an empty file
 * @throws OperatorError naming file and line
 */
export const readYaml = (file: SourceFile): unknown => read(file, 'failsafe', plainText);

/**
 * Parses a JSON file. It is parsed as YAML, which includes JSON, because the errors of `JSON.parse` name no line.
 *
 * @throws OperatorError naming file and line
 */
export const readJson = (file: SourceFile): unknown => read(file, 'core', ({ value }) => value);

/** Converts a scalar to its text. An unquoted `null`, `~` or nothing is null. */
const plainText = ({ source, value, type }: Scalar): unknown => {
  const text = typeof value === 'string' ? value : (source ?? String(value));
  return type === 'PLAIN' && ['', '~', 'null', 'Null', 'NULL'].includes(text) ? null : text;
};

const refuseLargeFile = ({ name, text }: SourceFile): void => {
  if (text.length > MAX_CHARACTERS)
    throw new OperatorError(`${name} is too large: at most ${MAX_CHARACTERS} characters can be imported.`);
};

/**
 * Refuses deeply nested values before the library parses them, because that would take minutes.
 *
 * @throws OperatorError
 */
const refuseDeepNesting = ({ name, text }: SourceFile): void => {
  let line = 1;
  let brackets = 0;
  let indicators = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') brackets += 1;
    else if (lexeme === ']' || lexeme === '}') brackets -= 1;
    if (['-', '?', ':'].includes(lexeme)) indicators += 1;
    else if (lexeme.trim() !== '') indicators = 0;
    if (Math.max(brackets, indicators) > MAX_DEPTH)
      throw new OperatorError(`${name}, line ${line}: At most ${MAX_DEPTH} nested values can be imported.`);
    if (lexeme.includes('\n')) line += lexeme.split('\n').length - 1;
  }
};

const read = (file: SourceFile, schema: 'failsafe' | 'core', scalar: (node: Scalar) => unknown): unknown => {
  refuseLargeFile(file);
  refuseDeepNesting(file);
  const counter = new LineCounter();
  const document = parsed(file, schema, counter);
  const [error] = document.errors;
  if (error) {
    // The library reports that the stack is exhausted as an error of the file.
    if (/call stack/i.test(error.message)) throw new OperatorError(`${file.name} has too many nested values.`);
    const [sentence = ''] = error.message.split(/ at line \d+|\n/);
    throw new OperatorError(`${file.name}, line ${counter.linePos(error.pos[0]).line}: ${sentence}.`);
  }
  return convert(document, { file: file.name, counter, scalar });
};

const parsed = ({ name, text }: SourceFile, schema: 'failsafe' | 'core', lineCounter: LineCounter): Document.Parsed => {
  try {
    // The converter finds duplicate keys itself: the library compares each key with all others.
    return parseDocument(text, { lineCounter, uniqueKeys: false, schema, prettyErrors: false });
  } catch (error) {
    if (error instanceof RangeError) throw new OperatorError(`${name} has too many nested values.`);
    throw error;
  }
};

interface Conversion {
  file: string;
  counter: LineCounter;
  scalar: (node: Scalar) => unknown;
}

interface Converted {
  value: unknown;
  /** number of values, each counted as often as aliases repeat it */
  size: number;
}

/** Converts a document to plain values, and records the line of each. Aliases share the value of their anchor. */
const convert = (document: Document.Parsed, { file, counter, scalar }: Conversion): unknown => {
  // An anchor has null until its value is complete.
  const anchors = new Map<string, Converted | null>();
  const lineOf = (node: unknown): number => {
    const range = (node as { range?: readonly number[] | null } | null)?.range;
    return range?.[0] === undefined ? 1 : counter.linePos(range[0]).line;
  };
  const fail = (node: unknown, sentence: string): never => {
    throw new OperatorError(`${file}, line ${lineOf(node)}: ${sentence}`);
  };
  const ofNode = (node: unknown, depth: number): Converted => {
    if (depth > MAX_DEPTH) return fail(node, `At most ${MAX_DEPTH} nested values can be imported.`);
    if (isAlias(node)) {
      const known = anchors.get(node.source);
      if (known === undefined) return fail(node, `The anchor "${node.source}" does not exist.`);
      if (known === null) return fail(node, `The alias "${node.source}" contains itself.`);
      return known;
    }
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, null);
    const converted = ofContent(node, depth);
    if (converted.size > MAX_VALUES) fail(node, `At most ${MAX_VALUES} values can be imported.`);
    if (anchor !== undefined) anchors.set(anchor, converted);
    return converted;
  };

  const ofContent = (node: unknown, depth: number): Converted => {
    if (isScalar(node)) return { value: scalar(node), size: 1 };
    if (isSeq(node)) {
      const items = node.items.map((item) => ofNode(item, depth + 1));
      const value = items.map((item) => item.value);
      const lines = new Map(node.items.map((item, index) => [String(index), lineOf(item)]));
      places.set(value, { file, line: lineOf(node), lines });
      return { value, size: items.reduce((sum, { size }) => sum + size, 1) };
    }
    if (isMap(node)) return ofMap(node, depth);
    return { value: null, size: 1 };
  };

  const ofMap = (node: { items: readonly { key: unknown; value: unknown }[] }, depth: number): Converted => {
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    const lines = new Map<string, number>();
    let size = 1;
    for (const { key, value } of node.items) {
      if (!isScalar(key)) return fail(key ?? node, 'A key must be a text.');
      const name = String(key.value);
      const converted = ofNode(value, depth + 1);
      size += converted.size;
      if (name === '<<' && key.type === 'PLAIN') {
        for (const part of [converted.value].flat())
          for (const [inner, given] of Object.entries(isMapping(part) ? part : {}))
            if (!merged.has(inner)) merged.set(inner, given);
      } else {
        if (own.has(name)) fail(key, `The key "${name}" occurs twice.`);
        own.set(name, converted.value);
        lines.set(name, lineOf(key));
      }
    }
    // A null prototype prevents a key such as `__proto__` from having an effect.
    const value = Object.create(null) as Record<string, unknown>;
    for (const [name, given] of [...merged, ...own]) value[name] = given;
    places.set(value, { file, line: lineOf(node), lines });
    return { value, size };
  };

  return ofNode(document.contents, 0).value;
};

/** Returns whether a value of a file is a mapping. */
export const isMapping: (value: unknown) => value is Mapping = isFields;
