import { toldAlert } from '../../api/v1/alerts/told.ts';
import { presentIncident } from '../../api/v1/incidents/present.ts';
import type { LinkTo } from '../../api/v1/results/present.ts';
import { artifactPath } from '../../domain/artifact-link.ts';
import type { Plans } from '../../domain/organization/plans.ts';
import { instantOf } from '../../domain/time.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { channelsOf, type AlertChannelView } from '../../queries/alerts/alert-channels.ts';
import type { CauseContext } from '../../reactors/delivery/cause.ts';
import { surplusOfReceivers } from '../../reactors/delivery/channel-receivers.ts';
import { shortly } from '../../reactors/mailings/content.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { createTextRenderer } from '../threads/mail-texts.ts';

export interface CausesOptions extends Pick<CauseContext, 'todo' | 'clock' | 'publicUrl' | 'mails'> {
  readers: Pick<Readers, 'for' | 'sure'>;
  /** what organizations may have */
  plans: Plans;
  keys: Keys;
}

/** How long links to the files of a result work that a message tells, milliseconds; the files go with the result. */
const FILES_OPEN_FOR_MS = 30 * 86_400_000;

/** What the kinds of causes are made from. */
export const causeContext = ({ readers, plans, keys, publicUrl, mails, todo, clock }: CausesOptions): CauseContext => {
  // A delivery whose cause or receiver is missing is given up for good.
  const read = readers.sure;
  // Thousands of alerts at once name the same few channels.
  const shared = shortly<AlertChannelView[]>(clock);
  const views: typeof channelsOf = (scope, ids, revealing) =>
    shared(`${scope.organizationId}/${ids.join()}`, () => channelsOf(scope, ids, revealing));
  const linkTo: LinkTo = async (id, organizationId) => {
    const until = instantOf(clock() + FILES_OPEN_FOR_MS);
    const path = await artifactPath({ id, organizationId, until }, (kind, text) => keys.fingerprint(kind, text));
    return `${publicUrl ?? ''}${path}`;
  };
  return {
    read,
    readAfter: (position) => readers.for({ appended: new Map([['main', BigInt(position)]]) }),
    keys,
    todo,
    clock,
    isSurplus: surplusOfReceivers(clock, read),
    publicUrl,
    mails,
    renderTexts: createTextRenderer(),
    shownIncident: presentIncident,
    shownAlert: (organizationId, alertId) =>
      toldAlert({ read, organizationId, now: instantOf(clock()), plans, keys, linkTo }, alertId, views),
  };
};
