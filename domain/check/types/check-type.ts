import type { TObject } from '@sinclair/typebox';

/** Which fields of a definition say what is watched. Of URL and host, one that is not among them is stored null. */
export interface Target {
  url?: 'required' | 'optional';
  host?: 'required' | 'optional';
  /** a type that has none here takes one all the same, and does not look at it */
  port?: 'required' | 'optional' | { default: number };
}

/** Texts in parameters or metadata. */
export interface Texts {
  /** `*`: every name */
  path: readonly [string, ...string[]];
  /** shown as a mask to all but editors and admins; a function is asked by the last name of the path */
  secret: boolean | ((name: string) => boolean);
}

/**
 * All that a type of check is before it runs: what the API takes and refuses, what is stored sealed, what a run costs
 * and needs. How it runs is a folder in runners/.
 */
export interface CheckType {
  /** as it stands in `type` */
  name: string;
  target: Target;
  /** what `parameters` must look like (spec.md: parameters by type) */
  parameters: TObject;
  /** parameters that a definition must have; in their schema they are optional, since a change may leave them out */
  requiredParameters: readonly string[];
  /** what is wrong with parameters that are right one by one: sentences by field, as `parameters.search_text` */
  contradictions: (parameters: Readonly<Record<string, unknown>>) => Record<string, string[]>;
  /** texts of parameters that stand sealed in events and documents */
  sealed: readonly Texts[];
  /** what `check_metadata` of its results looks like (spec.md: check_metadata by type) */
  metadata: TObject;
  /** texts of it that not everybody may see */
  secretMetadata: readonly Texts[];
  /** what a run costs in each region */
  credits: number;
  /** programs that must be found on the PATH where it runs */
  tools: readonly string[];
  /** longest `timeout`, seconds */
  maxTimeout: number;
  /** how long a run may take in a region, in whole milliseconds */
  timeLimit: (timeout: number, parameters: Readonly<Record<string, unknown>>) => number;
}

/** What no two types have in common. */
type Own = 'name' | 'target' | 'parameters' | 'metadata' | 'credits';

/** A type, with what most types have in common where nothing else is said. */
export const defineCheckType = (type: Pick<CheckType, Own> & Partial<Omit<CheckType, Own>>): CheckType => ({
  requiredParameters: [],
  contradictions: () => ({}),
  sealed: [],
  secretMetadata: [],
  tools: [],
  maxTimeout: 30,
  timeLimit: (timeout) => Math.round(timeout * 1_000),
  ...type,
});
