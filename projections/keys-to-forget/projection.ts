import { channelKey } from '../../domain/alert-channel/configuration.ts';
import type { RecordedEventOf } from '../../domain/event-types.ts';
import { userKey } from '../../domain/organization/user.ts';
import { pagePasswordsKey } from '../../domain/page/passwords.ts';
import { reportKey } from '../../domain/report/state.ts';
import { secretKey } from '../../domain/secret/decide.ts';
import { subscriberKeys } from '../../domain/subscriber/state.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/**
 * A key whose encrypted texts were removed: an item of the list of the reactor that deletes keys
 * (reactors/forgotten-keys.ts).
 */
export interface KeyToForgetDocument {
  /** name of the key */
  id: string;
  organization_id: string;
  changed_position: number;
}

type Removing = RecordedEventOf<
  | 'AlertChannelDeleted'
  | 'PageDeleted'
  | 'ReportDeleted'
  | 'SecretDeleted'
  | 'SubscriberDeleted'
  | 'SubscriberPurged'
  | 'UserForgotten'
>;

const keysOf = (event: Removing): string[] => {
  switch (event.type) {
    case 'AlertChannelDeleted':
      return [channelKey(event.data.channel_id)];
    case 'PageDeleted':
      return [pagePasswordsKey(event.data.page_id)];
    case 'ReportDeleted':
      return [reportKey(event.data.report_id)];
    case 'SecretDeleted':
      return [secretKey(event.data.secret_id)];
    case 'UserForgotten':
      return [userKey(event.data.user_id)];
    default: {
      const { subscriber_id: id, keys_from, number } = event.data;
      return subscriberKeys({ id, keys_from, number });
    }
  }
};

const list = (event: Removing, { keys_to_forget }: { keys_to_forget: Model<KeyToForgetDocument> }): void => {
  const { metadata, position } = event;
  const item = { organization_id: metadata.organization_id ?? '', changed_position: Number(position) };
  for (const id of keysOf(event)) keys_to_forget.put({ id, ...item });
};

/** Keys that are to be deleted, because the resources whose texts they encrypt were removed. */
export const keysToForget = defineProjection({
  name: 'keys_to_forget',
  version: 4,
  log: 'main',
  collections: {
    keys_to_forget: collection<KeyToForgetDocument>({ indexes: [{ changed_position: 1 }] }),
  },
  documents: (event) => ({ keys_to_forget: keysOf(event) }),
  on: {
    AlertChannelDeleted: list,
    PageDeleted: list,
    ReportDeleted: list,
    SecretDeleted: list,
    SubscriberDeleted: list,
    SubscriberPurged: list,
    UserForgotten: list,
  },
});
