import type { TObject } from '@sinclair/typebox';
import type { Fields } from '../../fields.ts';
import type { Instant } from '../../time.ts';

/** Which fields of a definition say what is watched. Of URL and host, those not listed are stored as null. */
export interface Target {
  url?: 'required' | 'optional';
  host?: 'required' | 'optional';
  /** a type without a port here accepts one all the same, and ignores it */
  port?: 'required' | 'optional' | { default: number };
}

/** Texts in parameters or metadata. */
export interface Texts {
  /** `*`: every name of an object, `[]`: every element of an array */
  path: readonly [string, ...string[]];
  /** shown as a mask to everybody but editors and admins; a function receives the last name of the path */
  secret: boolean | ((name: string) => boolean);
}

/**
 * Everything about a check type before it runs: what the API accepts and refuses, what is stored sealed, what a run
 * costs and needs. How it runs is in a folder in probes/.
 */
export interface CheckType {
  /** the value of `type` */
  name: string;
  target: Target;
  /** schema of `parameters` (spec.md: parameters by type) */
  parameters: TObject;
  /** parameters that a definition must have; their schema makes them optional, since a change may leave them out */
  requiredParameters: readonly string[];
  /** errors of parameters that are valid one by one: sentences by field, such as `parameters.search_text` */
  contradictions: (parameters: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** texts of parameters that are sealed in events and documents */
  sealed: readonly Texts[];
  /** schema of `check_metadata` of its results (spec.md: check_metadata by type) */
  metadata: TObject;
  /** texts of it that not everybody may see */
  secretMetadata: readonly Texts[];
  /** what of it those get at all who may not see secrets */
  publicMetadata: (metadata: Fields) => Fields;
  /**
   * The form in which it is shown, once secrets in it are masked: a type may store what several formats need.
   *
   * @param created when the check was; null for a definition that is not stored
   */
  shownMetadata: (metadata: Fields, created: Instant | null) => Fields;
  /** where it names files that a run has left (domain/check/result-files.ts); paths as in {@link Texts} */
  files: readonly (readonly string[])[];
  /** what a run costs in each region */
  credits: number;
  /** whether its good results have a response time */
  timesAnswers: boolean;
  /** programs that must be on the PATH where it runs */
  tools: readonly string[];
  /** its runs wait in a queue of their own, since so few of them run at once that they would hold up others */
  ownQueue: boolean;
  /** longest `timeout`, seconds */
  maxTimeout: number;
  /** how long a run may take in a region, in whole milliseconds */
  timeLimit: (timeout: number, parameters: Readonly<Record<string, unknown>>) => number;
}

/** The properties that differ for every type. */
type Own = 'name' | 'target' | 'parameters' | 'metadata' | 'credits';

/** A type, with the usual defaults for what is not given. */
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
