import type { Configuration } from '../configuration/model.ts';
import type { ImportedComponentStatus, ImportedIncident, ImportedSubscribers } from './imported.ts';

/** A change of an object, by its kind (`check`) and its name, or of several objects, by their kind and number. */
export interface PlannedChange {
  action: 'create' | 'change';
  kind: string;
  name?: string;
  /** number of objects; default: 1 */
  count?: number;
  /** the fields that change, without their values */
  fields?: readonly string[];
}

/** A change that was not made. */
export interface FailedChange {
  kind: string;
  name: string;
  /** why; contains no value of a field */
  sentence: string;
}

/** A plan, which is made without a change of anything. */
export interface ImportPlan {
  changes: readonly PlannedChange[];
  /** number of objects that stay as they are */
  unchanged: number;
  /** sentences on what differs from the other product, although it is imported */
  remarks: readonly string[];
  /**
   * Makes the changes, and notifies nobody. A change that fails stops no other. An object that somebody changed after
   * the plan was made is not overwritten.
   *
   * @throws OperatorError the service cannot be reached
   */
  apply: () => Promise<readonly FailedChange[]>;
}

/** The Uptrail that an import writes to. Objects match by kind and key, so a repeated import creates nothing twice. */
export interface Target {
  /**
   * Compares a configuration with the objects of the target. The objects of the plan belong to the user.
   *
   * @param hasVariables whether `${env:NAME}` stands for a variable of the environment; by default, it is a literal text
   * @throws OperatorError a variable is not set
   */
  planConfiguration: (configuration: Configuration, hasVariables?: boolean) => Promise<ImportPlan>;
  /**
   * Compares incidents and subscribers with those of the target. This is called before the configuration is applied
   * for a dry run, and after it otherwise, since incidents refer to pages.
   */
  planHistory: (history: History) => Promise<ImportPlan>;
}

export interface History {
  incidents: readonly ImportedIncident[];
  subscribers: readonly ImportedSubscribers[];
  component_statuses: readonly ImportedComponentStatus[];
}
