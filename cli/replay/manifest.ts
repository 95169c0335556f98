import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { categoryOf } from '../../domain/decider.ts';
import type { Instant } from '../../domain/time.ts';
import { OperatorError } from '../../service/operator-error.ts';

const FORMAT = 1;

const Sha256 = Type.RegExp(/^[0-9a-f]{64}$/);
/** Positions are strings, because they can exceed the range of a JSON number in some languages. */
const Position = Type.RegExp(/^\d{1,20}$/);
const End = Type.Object({ position: Position, recorded_at: Type.String() });
const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 1 }));

/** What a file with replayed events contains. The manifest is stored beside the file. */
const Manifest = Type.Object({
  uptrail: Type.Literal('replay'),
  format: Type.Literal(FORMAT),
  made_at: Type.String(),
  release: Type.String(),
  log: Type.Object({ name: Type.Union([Type.Literal('main'), Type.Literal('results')]), id: Type.String() }),
  filters: Type.Object({
    from: Position,
    types: Type.Array(Type.String()),
    stream: Type.Union([Type.String(), Type.Null()]),
    raw: Type.Boolean(),
  }),
  file: Type.Object({ name: Type.String(), bytes: Type.Integer({ minimum: 0 }), sha256: Sha256 }),
  /** the events as lines of JSON, whatever the format of the file */
  content: Type.Object({ bytes: Type.Integer({ minimum: 0 }), sha256: Sha256 }),
  events: Type.Integer({ minimum: 0 }),
  first: Type.Union([End, Type.Null()]),
  last: Type.Union([End, Type.Null()]),
  by_category: Counts,
  by_type: Counts,
});
export type Manifest = Static<typeof Manifest>;

/** The part of a manifest that follows from the events. */
export type Contents = Pick<Manifest, 'content' | 'events' | 'first' | 'last' | 'by_category' | 'by_type'>;

/** Returns the path of the manifest of a file. */
export const manifestPath = (file: string): string => `${file}.manifest.json`;

/** The properties of an event that a manifest counts. */
export interface CountedEvent {
  position: bigint;
  stream: string;
  type: string;
  recordedAt: Instant;
}

/** Creates an empty count. Lines are added in the order of the file. */
export const createContentCount = () => {
  const hash = createHash('sha256');
  const byType = new Map<string, number>();
  const byCategory = new Map<string, number>();
  let bytes = 0;
  let events = 0;
  let first: CountedEvent | null = null;
  let last: CountedEvent | null = null;
  return {
    /** @param line the line of JSON, without the line feed */
    add: (event: CountedEvent, line: Buffer): void => {
      hash.update(line).update('\n');
      bytes += line.length + 1;
      events++;
      count(byType, event.type);
      count(byCategory, categoryOf(event.stream));
      first ??= event;
      last = event;
    },
    /** Returns the count. Must not be called more than once. */
    contents: (): Contents => ({
      content: { bytes, sha256: hash.digest('hex') },
      events,
      first: first && endOf(first),
      last: last && endOf(last),
      by_category: sorted(byCategory),
      by_type: sorted(byType),
    }),
  };
};

export type ContentCount = ReturnType<typeof createContentCount>;

const count = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

const sorted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));

const endOf = ({ position, recordedAt }: CountedEvent) => ({
  position: position.toString(),
  recorded_at: recordedAt,
});

/**
 * Reads the manifest of a file.
 *
 * @throws OperatorError the manifest does not exist, is damaged, or was written by a newer release
 */
export const readManifest = (file: string): Manifest => {
  const path = manifestPath(file);
  if (!existsSync(path)) throw new OperatorError(`${path} does not exist. A file is verified by its manifest.`);
  const manifest = parsed(path);
  if (Value.Check(Manifest, manifest)) return manifest;
  const { format } = (manifest ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    throw new OperatorError(`${path} was written by a newer release. Verify the file with that release.`);
  }
  throw new OperatorError(`${path} is not a manifest of uptrail replay, or is damaged.`);
};

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};
