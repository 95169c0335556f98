import { derivedId } from '../identity.ts';

/** Stands for the rule of alerts that the service raises about itself: they have none. */
export const SYSTEM_RULE = 'system';

/**
 * Within what alerts are numbered, and of what at most one is active: the rule; of a rule by tag, the rule and the check.
 * A rule by tag says so by its tag.
 */
export const alertSeries = ({
  rule_id,
  check_id,
  rule_tag,
}: {
  rule_id: string | null;
  check_id: string | null;
  rule_tag?: string | undefined;
}): string => {
  if (rule_id === null) return SYSTEM_RULE;
  return rule_tag === undefined || check_id === null ? rule_id : `${rule_id}/${check_id}`;
};

/**
 * The nth alert of a rule, counted from 1. Whoever judges a rule comes to the same stream, so an alert fires once.
 *
 * @param series the rule's id, or what {@link alertSeries} says
 */
export const alertIdOf = (series: string, number: number): string => derivedId(`alert/${series}/${number.toString()}`);
