import type { TObject } from '@sinclair/typebox';
import type { Fields } from '../../fields.ts';
import type { Instant } from '../../time.ts';

/** The target fields of a definition. A type without `url` or `host` stores null in that field. */
export interface CheckTarget {
  url?: 'required' | 'optional';
  host?: 'required' | 'optional';
  /** A type without `port` accepts a port in requests, and ignores it. */
  port?: 'required' | 'optional' | { default: number };
}

/** A pattern that selects texts in parameters or metadata. */
export interface SealedTexts {
  /** the names on the way to the text; `*`: every property of an object, `[]`: every element of an array */
  path: readonly [string, ...string[]];
  /**
   * Whether all users except editors and admins see a mask instead of the text. A function decides this from the final
   * name of the path.
   */
  secret: boolean | ((name: string) => boolean);
}

/**
 * A check type without its implementation: the requests that the API accepts, the texts that are sealed, and the cost
 * and requirements of a run. The implementation is in a folder in probes/.
 */
export interface CheckType {
  /** the value of `type` */
  name: string;
  target: CheckTarget;
  /** schema of `parameters` (docs/reference/checks.md#types) */
  parameters: TObject;
  /**
   * Parameters that a definition must have. They are optional in the schema, because a request that changes a check can
   * omit them.
   */
  requiredParameters: readonly string[];
  /**
   * Reports contradictions between parameters that are valid individually. Returns error messages by field, such as
   * `parameters.search_text`.
   */
  contradictions: (parameters: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** texts in the parameters that are sealed in events and documents */
  sealed: readonly SealedTexts[];
  /** schema of `check_metadata` in results (docs/reference/results.md#result-fields) */
  metadata: TObject;
  /** texts in the metadata that viewers are not allowed to see */
  secretMetadata: readonly SealedTexts[];
  /** Returns the part of the metadata that viewers are allowed to see. */
  publicMetadata: (metadata: Fields) => Fields;
  /**
   * Converts stored metadata to the form in responses, after secrets were masked. Stored metadata may contain the data
   * of several formats.
   *
   * @param created when the check was created; null for a definition without a check
   */
  shownMetadata: (metadata: Fields, created: Instant | null) => Fields;
  /** paths of file references in the metadata (domain/check/result-files.ts), in the syntax of {@link SealedTexts} */
  files: readonly (readonly string[])[];
  /** the cost of a run in credits, in each region */
  credits: number;
  /** whether successful results have a response time */
  timesAnswers: boolean;
  /** programs that must be on the PATH of the runner */
  tools: readonly string[];
  /**
   * Whether runs of the type have a separate queue. Only few such runs are executed concurrently. In a shared queue,
   * they would block the runs of other types.
   */
  ownQueue: boolean;
  /** the maximum `timeout` in seconds */
  maxTimeout: number;
  /** Returns the maximum duration of a run in a region, in whole milliseconds. */
  timeLimit: (timeout: number, parameters: Readonly<Record<string, unknown>>) => number;
}

/** The properties that have no default. */
type Own = 'name' | 'target' | 'parameters' | 'metadata' | 'credits';

/** Defines a check type. Absent properties get default values. */
export const defineCheckType = (type: Pick<CheckType, Own> & Partial<Omit<CheckType, Own>>): CheckType => ({
  requiredParameters: [],
  contradictions: () => ({}),
  sealed: [],
  secretMetadata: [],
  publicMetadata: (metadata) => metadata,
  shownMetadata: (metadata) => metadata,
  files: [],
  timesAnswers: true,
  tools: [],
  ownQueue: false,
  maxTimeout: 30,
  timeLimit: (timeout) => Math.round(timeout * 1_000),
  ...type,
});
