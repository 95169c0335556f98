import { migrateChannelChat } from '../../commands/alerts/alert-channels.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { DomainError } from '../../domain/errors.ts';
import { derivedUuid } from '../../domain/identity.ts';
import type { Instant } from '../../domain/time.ts';
import type { NotifierSettings } from '../../notifiers/notifier.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import type { DeliveryToCompose } from './cause.ts';

/** Stores the new id of a channel's chat, as reported in the response to a message. Makes a single attempt. */
export type ChatMoved = (
  delivery: Pick<DeliveryToCompose, 'id' | 'organization_id'>,
  settings: NotifierSettings,
  to: string,
  now: Instant,
) => Promise<void>;

export const createChatMoved =
  (dependencies: Pick<CommandDependencies, 'handle'>): ChatMoved =>
  async ({ id, organization_id: organizationId }, { channel_id, chat_id }, to, now) => {
    if (typeof channel_id !== 'string' || typeof chat_id !== 'string') return;
    const commandId = derivedUuid(`delivery/${id}/moved/${to}`);
    try {
      const context = reactorContext('delivery', { organizationId, commandId, now });
      await migrateChannelChat(dependencies)(channel_id, chat_id, to, context);
    } catch (error) {
      // Ignore the failure: the message was sent, and an error here would send it again. The response to the next
      // message reports the new id again.
      if (!(error instanceof StoreUnavailable || error instanceof DomainError)) throw error;
    }
  };
