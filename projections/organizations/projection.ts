import type { RecordedEventOf } from '../../domain/event-types.ts';
import { NO_INVOICE_DETAILS } from '../../domain/organization/state.ts';
import type { UserEvent } from '../../domain/organization/user.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import type { ApiKeyDocument, OrganizationDocument, SubscriptionDocument, UserDocument } from './documents.ts';

interface Users {
  users: Model<UserDocument>;
}

/** Creates a handler that folds an event about a user into the user's document. */
const ofUser =
  <T extends UserEvent['type'] | 'SessionStarted'>(
    change: (event: RecordedEventOf<T>, user: UserDocument) => Partial<UserDocument>,
  ) =>
  (event: RecordedEventOf<T> & { data: { user_id: string } }, { users }: Users): void => {
    const user = users.get(event.data.user_id);
    if (user) users.put({ ...user, ...change(event, user) });
  };

/** Creates a handler for an event that changes a user, which also sets `updated_at`. */
const changing = <T extends UserEvent['type']>(change: (event: RecordedEventOf<T>) => Partial<UserDocument>) =>
  ofUser<T>((event) => ({ ...change(event), updated_at: event.metadata.recorded_at }));

/** Organizations, their users, API keys and subscriptions: the basis of authentication and authorization. */
export const organizations = defineProjection({
  name: 'organizations',
  version: 2,
  log: 'main',
  collections: {
    organizations: collection<OrganizationDocument>({ indexes: [{ created_at: 1 }] }),
    subscriptions: collection<SubscriptionDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
    users: collection<UserDocument>({ indexes: [{ organization_id: 1, created_at: 1 }, { email_key: 1 }] }),
    api_keys: collection<ApiKeyDocument>({ indexes: [{ organization_id: 1, created_at: 1 }] }),
  },
  documents: (event) => {
    switch (event.type) {
      case 'OrganizationCreated':
      case 'OrganizationUpdated':
      case 'OrganizationCreditLimitChanged':
        return { organizations: [event.data.organization_id] };
      case 'SubscriptionStarted':
      case 'SubscriptionExtended':
      case 'SubscriptionEnded':
        return { organizations: [event.data.organization_id], subscriptions: [event.data.subscription_id] };
      case 'ApiKeyCreated':
      case 'ApiKeyRevoked':
        return { api_keys: [event.data.hash] };
      case 'UserInvited':
      case 'UserJoined':
      case 'UserProfileChanged':
      case 'UserRoleChanged':
      case 'UserPasswordChanged':
      case 'SecondFactorEnabled':
      case 'SecondFactorDisabled':
      case 'UserRemoved':
      case 'SessionStarted':
        return { users: [event.data.user_id] };
    }
  },
  on: {
    OrganizationCreated: ({ data, metadata }, { organizations }) => {
      const at = metadata.recorded_at;
      const { organization_id: id, name } = data;
      organizations.put({
        id,
        name,
        auto_renew: false,
        invoice_details: NO_INVOICE_DETAILS,
        subscription_id: null,
        plan: null,
        subscribed_until: null,
        credit_limit: null,
        created_at: at,
        updated_at: at,
      });
    },
    OrganizationUpdated: ({ data, metadata }, { organizations }) => {
      const organization = organizations.get(data.organization_id);
      if (organization) organizations.put({ ...organization, ...data.changes, updated_at: metadata.recorded_at });
    },
    OrganizationCreditLimitChanged: ({ data, metadata }, { organizations }) => {
      const organization = organizations.get(data.organization_id);
      if (organization) organizations.put({ ...organization, ...data.changes, updated_at: metadata.recorded_at });
    },
    SubscriptionStarted: ({ data, metadata }, { organizations, subscriptions }) => {
      const { organization_id, subscription_id: id, plan, start_date, end_date } = data;
      const created_at = metadata.recorded_at;
      subscriptions.put({ id, organization_id, plan, start_date, end_date, ended_at: null, created_at });
      const organization = organizations.get(organization_id);
      if (organization) {
        organizations.put({ ...organization, subscription_id: id, plan, subscribed_until: end_date });
      }
    },
    SubscriptionExtended: ({ data }, { organizations, subscriptions }) => {
      const { organization_id, subscription_id, end_date } = data;
      const subscription = subscriptions.get(subscription_id);
      if (subscription) subscriptions.put({ ...subscription, end_date });
      const organization = organizations.get(organization_id);
      if (organization) organizations.put({ ...organization, subscribed_until: end_date });
    },
    SubscriptionEnded: ({ data }, { organizations, subscriptions }) => {
      const { organization_id, subscription_id, ended_at } = data;
      const subscription = subscriptions.get(subscription_id);
      if (subscription) subscriptions.put({ ...subscription, ended_at });
      const organization = organizations.get(organization_id);
      if (organization?.subscription_id === subscription_id) {
        organizations.put({ ...organization, subscription_id: null, plan: null, subscribed_until: null });
      }
    },
    UserInvited: ({ data, metadata }, { users }) => {
      const { organization_id, user_id: id, email, email_key, role } = data;
      const at = metadata.recorded_at;
      users.put({
        id,
        organization_id,
        email,
        email_key,
        email_verified: false,
        first_name: null,
        last_name: null,
        role,
        status: 'invited',
        has_second_factor: false,
        sign_ins: 0,
        last_login: null,
        created_at: at,
        updated_at: at,
      });
    },
    UserJoined: changing(({ data: { first_name, last_name, email_verified } }) => ({
      status: 'active',
      first_name,
      last_name,
      email_verified,
    })),
    UserProfileChanged: changing(({ data: { changes } }) => changes),
    UserRoleChanged: changing(({ data: { role } }) => ({ role })),
    UserPasswordChanged: changing(({ data: { email_verified } }) => (email_verified ? { email_verified } : {})),
    SecondFactorEnabled: changing(() => ({ has_second_factor: true })),
    SecondFactorDisabled: changing(() => ({ has_second_factor: false })),
    UserRemoved: changing(() => ({ status: 'disabled', has_second_factor: false })),
    SessionStarted: ofUser(({ metadata }, { sign_ins }) => ({
      last_login: metadata.recorded_at,
      sign_ins: sign_ins === 0 ? 1 : 2,
    })),
    ApiKeyCreated: ({ data, metadata }, { api_keys }) => {
      const { hash, organization_id, api_key_id, name, prefix, role, expires_at } = data;
      const { created_by, created_by_key, allowed_ips } = data;
      api_keys.put({
        id: hash,
        api_key_id,
        organization_id,
        name,
        prefix,
        role,
        created_by,
        created_by_key,
        allowed_ips,
        created_at: metadata.recorded_at,
        expires_at,
      });
    },
    ApiKeyRevoked: ({ data }, { api_keys }) => {
      api_keys.delete(data.hash);
    },
  },
});
