import { alertPayload } from '../../api/v1/alerts/payload.ts';
import type { CreateFileLink } from '../../api/v1/results/present.ts';
import { artifactPath } from '../../domain/artifact-link.ts';
import type { Plans } from '../../domain/organization/plans.ts';
import { instantOf } from '../../domain/time.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { showChannels, type AlertChannelView } from '../../queries/alerts/alert-channels.ts';
import type { ReactorParts } from '../../reactors/context.ts';
import { cacheBriefly } from '../../reactors/mailings/content.ts';
import type { Keys } from '../../stores/keys/port.ts';

export interface AlertViewsOptions {
  readers: Pick<Readers, 'sure'>;
  /** the plans of organizations */
  plans: Plans;
  keys: Keys;
  /** `PUBLIC_URL`; null: unset */
  publicUrl: string | null;
  /** milliseconds since 1970 */
  clock: () => number;
}

/** How long the artifact links in a message work, milliseconds; the files are removed together with the result. */
const FILES_OPEN_FOR_MS = 30 * 86_400_000;

/** Alerts as the API shows them to a viewer, for machine-readable messages. */
export const createAlertViews = ({
  readers,
  plans,
  keys,
  publicUrl,
  clock,
}: AlertViewsOptions): ReactorParts['shownAlert'] => {
  // Thousands of concurrent alerts refer to the same few channels.
  const shared = cacheBriefly<AlertChannelView[]>(clock);
  const views: typeof showChannels = (scope, ids, revealing) =>
    shared(`${scope.organizationId}/${ids.join()}`, () => showChannels(scope, ids, revealing));
  const linkTo: CreateFileLink = async (id, organizationId) => {
    const until = instantOf(clock() + FILES_OPEN_FOR_MS);
    const path = await artifactPath({ id, organizationId, until }, (kind, text) => keys.fingerprint(kind, text));
    return `${publicUrl ?? ''}${path}`;
  };
  return (organizationId, alertId) =>
    alertPayload({ read: readers.sure, organizationId, now: instantOf(clock()), plans, keys, linkTo }, alertId, views);
};
