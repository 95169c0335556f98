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
  /** value of `PUBLIC_URL`; null: not set */
  publicUrl: string | null;
  /** returns milliseconds since 1970 */
  clock: () => number;
}

/**
 * Time for which links to artifacts in a message work, in milliseconds. The files themselves are removed together with
 * the result.
 */
const FILES_OPEN_FOR_MS = 30 * 86_400_000;

/** Creates the function that returns an alert as the API shows it to viewers. Used for messages to programs. */
export const createAlertViews = ({
  readers,
  plans,
  keys,
  publicUrl,
  clock,
}: AlertViewsOptions): ReactorParts['shownAlert'] => {
  // Thousands of alerts may fire at the same time and refer to the same few channels, so the views of channels are
  // cached.
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
