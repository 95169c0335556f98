import type { DeliveryMessage } from '../../../domain/delivery/message.ts';
import { createTargetPolicy, type TargetPolicyName } from '../../../domain/target/policy.ts';
import { channelNotifiers } from '../../../notifiers/channels/channel-notifiers.ts';
import type { NotificationMessage, Notifier } from '../../../notifiers/notifier.ts';
import { fakeClock } from '../../network/fake-clock.ts';
import { resolveIn } from '../../probes/web/probing.ts';

/** Returns the notifier of a channel type that has its own notifier. The clock of the notifier shows 15:00. */
export const channelNotifier = (
  name: string,
  { policy = 'internal', hosts = {} }: { policy?: TargetPolicyName; hosts?: Record<string, readonly string[]> } = {},
): Notifier => {
  const found = channelNotifiers({
    clock: fakeClock(Date.parse('2026-11-20T15:00:00Z')),
    resolve: resolveIn(hosts),
    policyName: policy,
    policy: createTargetPolicy({ policy }),
  }).find((notifier) => notifier.name === name);
  if (!found) throw new Error(`No channel type sends as ${name}.`);
  return found;
};

/** Returns a message about an alert. It contains a notice, and a text for notifiers that do not use the notice. */
export const noticeOf = (changes: Partial<DeliveryMessage> = {}): NotificationMessage => ({
  id: 'delivery0001',
  event: changes.over === true ? 'alert.resolved' : 'alert.fired',
  subject: 'API is down',
  text: 'What other services show',
  data: {},
  notice: {
    title: '[High] API is down',
    body: 'API has been down since 15:00 UTC.',
    url: 'https://status.example.com/console/alerts/alert0000001',
    severity: 'high',
    over: false,
    about: 'alert-alert0000001',
    ...changes,
  },
});
