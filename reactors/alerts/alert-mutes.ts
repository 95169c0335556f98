import { endAlertMute } from '../../commands/alerts/alerts.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const ALERT_MUTES = 'alert-mutes';

/**
 * Number of alerts handled concurrently. When the mute of a rule ends, alerts of many checks are due at once, and
 * concurrent commands share commits.
 */
const AT_ONCE = 64;

/**
 * Releases the withheld message of a muted alert when neither its rule nor its check is muted any more
 * (docs/reference/alerts.md#muting). The state of the alert at that moment decides whether the message is still sent.
 */
export const alertMutes = defineReactor({
  name: ALERT_MUTES,
  does: 'releases alert messages held back by a mute of their rule or check, once it ends',
  countsEarlier: true,
  // There is no limit for due times, because users choose how long a mute lasts.
  list: due(alerts, 'muted_alerts', { atOnce: AT_ONCE, longest: null }),
  act: async ({ id, organization_id: organizationId, changed_position }, { handle, now, appended }) => {
    const commandId = derivedUuid(`${ALERT_MUTES}/${id}/${changed_position}`);
    const context = reactorContext(ALERT_MUTES, { organizationId, correlationId: id, commandId, now, appended });
    await endAlertMute({ handle })(id, context);
    return done();
  },
});
