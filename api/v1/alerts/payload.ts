import { defaultRegionOf, REGIONS } from '../../../domain/check/regions.ts';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import type { ServedRegions } from '../../../domain/check/missing-runners.ts';
import { NotFound } from '../../../domain/errors.ts';
import type { showChannels } from '../../../queries/alerts/alert-channels.ts';
import { showAlertRule } from '../../../queries/alerts/alert-rules.ts';
import { findAlert } from '../../../queries/alerts/alerts.ts';
import { resultOfCheck } from '../../../queries/check-results/results.ts';
import { showCheck } from '../../../queries/checks/checks.ts';
import { findOrganization } from '../../../queries/organizations/organizations.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { createPresenter } from '../../presenter.ts';
import { presentCheck } from '../checks/present.ts';
import { presentResult, type CreateFileLink } from '../results/present.ts';
import { Alert } from './schema.ts';
import { presentAlertRule } from './rules/schema.ts';

const presentAlert = createPresenter(Alert);

/** Masks secrets, as in responses to viewers. */
const MASKED = { reveal: false };

/** Pretends that every region has runners, so that the payload does not depend on which runners are connected. */
const SERVED: ServedRegions = {
  defaultRegion: defaultRegionOf(REGIONS),
  // This map has an entry for every region, including private locations.
  abilities: { get: () => CHECK_TYPE_NAMES, has: () => true },
};

/** Resolves to null instead of throwing `NotFound`. */
const orNull = async <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });

/**
 * Creates the payload that informs another program about an alert. The payload contains the alert, its rule, check,
 * result and organization, in the form of API responses to a viewer. Objects that were deleted or never existed are
 * null.
 *
 * @param given the scope of the query, and `linkTo`, which creates links to the files of a result
 * @param views reads channels in the form of API responses; pass a caching function if the channels were already read
 * @returns null if there is no such alert
 */
export const alertPayload = async (
  { linkTo, ...given }: Omit<Scope, 'resultsFrom'> & { linkTo: CreateFileLink },
  alertId: string,
  views?: typeof showChannels,
): Promise<Record<string, unknown> | null> => {
  // The payload contains no results of a period, so the retention period does not matter.
  const scope: Scope = { ...given, resultsFrom: () => given.now };
  const alert = await orNull(findAlert(scope, alertId));
  if (!alert) return null;
  const { rule_id, check_id, trigger_results } = alert;
  const result_id = trigger_results[0]?.result_id;
  const [rule, check, result, organization] = await Promise.all([
    rule_id === null ? null : orNull(showAlertRule(scope, rule_id, MASKED, views)),
    check_id === null ? null : orNull(showCheck(scope, check_id, { ...MASKED, served: async () => SERVED })),
    check_id === null || result_id === undefined ? null : orNull(resultOfCheck(scope, { check_id, result_id }, MASKED)),
    orNull(findOrganization(scope, scope.organizationId)),
  ]);
  return {
    alert: presentAlert(alert),
    rule: rule && presentAlertRule(rule),
    check: check && presentCheck(check),
    result: result && (await presentResult(result, linkTo)),
    organization: organization && { id: organization.id, name: organization.name },
  };
};
