import type { TObject } from '@sinclair/typebox';
import type { Fields } from '../../fields.ts';
import type { Instant } from '../../time.ts';

/** The target fields of a definition. A URL or host that is not listed is stored as null. */
export interface CheckTarget {
  url?: 'required' | 'optional';
  host?: 'required' | 'optional';
  /** a type without a port accepts one in requests, and ignores it */
  port?: 'required' | 'optional' | { default: number };
}

/** Texts in parameters or metadata. */
export interface SealedTexts {
  /** `*`: every name of an object, `[]`: every element of an array */
  path: readonly [string, ...string[]];
  /** shown as a mask to all but editors and admins; a function receives the last name of the path */
  secret: boolean | ((name: string) => boolean);
}

/**
 * A check type without its implementation: the requests that the API accepts, the texts that are sealed, and the cost and
 * needs of a run. The implementation is in a folder in probes/.
 */
export interface CheckType {
  /** the value of `type` */
  name: string;
  target: CheckTarget;
  /** schema of `parameters` (docs/reference/checks.md#types) */
  parameters: TObject;
  /** parameters that a definition must have; their schema makes them optional, since a change may leave them out */
  requiredParameters: readonly string[];
  /** contradictions between parameters that are valid individually: error messages by field, such as `parameters.search_text` */
  contradictions: (parameters: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** texts of parameters that are sealed in events and documents */
  sealed: readonly SealedTexts[];
  /** schema of `check_metadata` of its results (docs/reference/results.md#result-fields) */
  metadata: TObject;
  /** texts of the metadata that viewers may not see */
  secretMetadata: readonly SealedTexts[];
  /** the part of the metadata that viewers may see */
  publicMetadata: (metadata: Fields) => Fields;
  /**
   * The form in which metadata is shown, after secrets are masked. A type may store the data of several formats.
   *
   * @param created when the check was created; null for a definition without a check
   */
  shownMetadata: (metadata: Fields, created: Instant | null) => Fields;
  /** paths of file references in the metadata (domain/check/result-files.ts), with the pattern syntax of {@link SealedTexts} */
  files: readonly (readonly string[])[];
  /** the cost of a run in each region */
  credits: number;
  /** whether successful results have a response time */
  timesAnswers: boolean;
  /** programs that must be on the PATH of the runner */
  tools: readonly string[];
  /** whether its runs have a separate queue: so few of them run concurrently that they would block others */
  ownQueue: boolean;
  /** longest `timeout`, seconds */
  maxTimeout: number;
  /** the maximum duration of a run in a region, in whole milliseconds */
  timeLimit: (timeout: number, parameters: Readonly<Record<string, unknown>>) => number;
}

/** The properties that every type defines. */
type Own = 'name' | 'target' | 'parameters' | 'metadata' | 'credits';

/** Defines a type, with defaults for absent properties. */
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
