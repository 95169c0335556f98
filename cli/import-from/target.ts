import type { Configuration } from '../configuration/model.ts';
import type { ImportedIncident, ImportedSubscribers } from './imported.ts';

/** What happens to an object: nothing if it is unchanged. */
export type Action = 'create' | 'update' | 'unchanged';

/** An object of a plan, by its kind (`check`) and its key (`Shop / API`). */
export interface PlannedObject {
  action: Action;
  kind: string;
  name: string;
  /** the fields that change, without their values */
  fields?: readonly string[];
}

/** A plan, which is made without a change of anything. */
export interface ImportPlan {
  objects: readonly PlannedObject[];
  /**
   * Creates and updates what the plan says. An object that was changed since the plan was made is not overwritten.
   * Nobody is notified.
   *
   * @throws OperatorError an object was refused; the message names it, and says what was done before
   */
  apply: () => Promise<void>;
}

/** The Uptrail that an import writes to. Objects match by kind and key, so a repeated import creates nothing twice. */
export interface Target {
  /** Compares a configuration with the objects of the target. The objects of the plan belong to the user. */
  planConfiguration: (configuration: Configuration) => Promise<ImportPlan>;
  /**
   * Compares incidents and subscribers with those of the target. This is called before the configuration is applied
   * for a dry run, and after it otherwise, since incidents refer to pages.
   */
  planHistory: (history: History) => Promise<ImportPlan>;
}

export interface History {
  incidents: readonly ImportedIncident[];
  subscribers: readonly ImportedSubscribers[];
}
