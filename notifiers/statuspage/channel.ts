import { Type } from '@sinclair/typebox';
import { STATUS_PAGE } from '../../domain/alert-channel/configuration.ts';
import { COMPONENT_STATUSES } from '../../domain/page/component-status.ts';
import { defineChannelType } from '../channels/channel-type.ts';
import { oneOf, readText } from '../channels/fields.ts';

const Id = Type.String({ pattern: '^[a-z0-9]{12}$', examples: ['k3v9x0q2m7ab'] });

/**
 * Sets the status of a component of a status page while an alert is active (reactors/alerts/). This type sends no
 * messages.
 */
export const statuspage = defineChannelType({
  name: STATUS_PAGE,
  delivers: 'the component has the status while the alert is active',
  configuration: Type.Object(
    { page_id: Id, component_id: Id, component_status: oneOf(COMPONENT_STATUSES) },
    { description: 'statuspage: the component has this status while the alert is active' },
  ),
  read: ({ page_id, component_id, component_status }, _, say) => {
    const status = COMPONENT_STATUSES.find((one) => one === component_status);
    if (!status) {
      const missing = component_status === undefined;
      say(
        'component_status',
        missing ? 'Missing required field.' : `Must be one of: ${COMPONENT_STATUSES.join(', ')}.`,
      );
    }
    return {
      page_id: readText(page_id, undefined, 'page_id', say),
      component_id: readText(component_id, undefined, 'component_id', say),
      component_status: status ?? 'operational',
    };
  },
  receivers: () => [],
  rateLimitTarget: () => STATUS_PAGE,
});
