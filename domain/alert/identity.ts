import { derivedId } from '../identity.ts';

/** The series of alerts that the service raises about its own state, which have no rule. */
export const SYSTEM_RULE = 'system';

/**
 * The series in which alerts are numbered, and of which at most one is active: the rule; for a rule by tag (`rule_tag` is
 * set), the rule and the check.
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
 * The id of the nth alert of a series, counted from 1. All processes derive the same id, so an alert fires once.
 *
 * @param series from {@link alertSeries}
 */
export const alertIdOf = (series: string, number: number): string => derivedId(`alert/${series}/${number}`);
