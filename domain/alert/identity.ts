import { derivedId } from '../identity.ts';

/** The name of the series of alerts that the service raises about its own state. These alerts have no rule. */
export const SYSTEM_RULE = 'system';

/**
 * Returns the series of an alert. Alerts are numbered within their series, and at most one alert of a series is active.
 * A rule that watches a check has one series. A rule that watches a tag (`rule_tag` is set) has one series for each
 * check.
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
 * Returns the id of the nth alert of a series, counted from 1. All processes derive the same id, so that an alert fires
 * only once.
 *
 * @param series from {@link alertSeries}
 */
export const alertIdOf = (series: string, number: number): string => derivedId(`alert/${series}/${number}`);
