import type { CheckEntry } from '../../../configuration/model.ts';
import type { Mapping } from '../../read-yaml.ts';
import type { Condition } from '../conditions.ts';

/** An endpoint of Gatus, without what does not depend on its type. */
export interface Endpoint {
  name: string;
  url: string;
  /** seconds */
  timeout: number;
  section: Mapping;
  client: Mapping;
  conditions: readonly Condition[];
  /** Adds a sentence about the endpoint. The sentence continues `The endpoint "x" `. */
  note: (rest: string) => void;
}

/** The fields of a check that depend on the type of its endpoint. */
export type Target = Pick<CheckEntry, 'type'> & Readonly<Record<string, unknown>>;

/** The checks that replace an endpoint. */
export interface Monitored {
  main: Target;
  /** further checks, with the suffix of their name: `domain` */
  additional: readonly { suffix: string; interval?: number; target: Target }[];
  /** limit of the response time in milliseconds that an alert rule has to watch */
  slowAfter: number | null;
}

/** Notes a condition that has no equivalent. */
export const noteCondition = ({ note }: Endpoint, { source }: Condition, closest: string): void => {
  note(`has the condition "${source}", which has no equivalent; ${closest}`);
};

/** Finds the smallest limit of the response time that the conditions set, in milliseconds. */
export const slowestOf = (limits: readonly number[]): number | null =>
  limits.length === 0 ? null : Math.max(1, Math.min(...limits));
