import { endAlertMute } from '../../commands/alerts/alerts.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const ALERT_MUTES = 'alert-mutes';

/** Alerts of many checks wait for the end of one rule's mute; their commands share commits. */
const AT_ONCE = 64;

/**
 * Ends the mute of alerts whose message was held back, once neither their rule nor their check is muted
 * (docs/reference/alerts.md#muting). Whether the message is still sent depends on the alert's state at that
 * moment.
 */
export const alertMutes = defineReactor({
  name: ALERT_MUTES,
  does: 'releases alert messages held back by a mute of their rule or check, once it ends',
  countsEarlier: true,
  // Users choose how long a mute lasts.
  list: due(alerts, 'muted_alerts', { atOnce: AT_ONCE, longest: null }),
  act: async ({ id, organization_id: organizationId, changed_position }, { handle, now, appended }) => {
    const commandId = derivedUuid(`${ALERT_MUTES}/${id}/${changed_position}`);
    const context = reactorContext(ALERT_MUTES, { organizationId, correlationId: id, commandId, now, appended });
    await endAlertMute({ handle })(id, context);
    return done();
  },
});
