import { createTargetPolicy, type TargetPolicyName } from '../../../domain/target/policy.ts';
import { systemClock, type Clock } from '../../../network/clock.ts';
import type { NotificationMessage, Notifier, SendOutcome, NotifierSettings } from '../../../notifiers/notifier.ts';
import { createWebhook } from '../../../notifiers/webhook/index.ts';
import { resolveIn } from '../../probes/web/probing.ts';

export const MESSAGE: NotificationMessage = {
  id: 'delivery0001',
  event: 'incident.created',
  subject: 'The shop is down',
  text: 'We are looking into it.',
  data: { incident: { name: 'The shop is down' } },
};

export interface World {
  policy?: TargetPolicyName;
  /** addresses by host name; all other names are unknown */
  hosts?: Record<string, readonly string[]>;
  trust?: readonly string[];
  clock?: Clock;
}

export const webhookIn = ({
  policy: policyName = 'internal',
  hosts = {},
  trust = [],
  clock = systemClock,
}: World): Notifier =>
  createWebhook({
    clock,
    resolve: resolveIn(hosts),
    policyName,
    policy: createTargetPolicy({ policy: policyName }),
    trust,
  });

/** Attempts to deliver a message once. */
export const post = (
  settings: NotifierSettings,
  world: World = {},
  signal = new AbortController().signal,
): Promise<SendOutcome> => webhookIn(world).send(MESSAGE, settings, { signal });
