import { Type, type Static } from '@sinclair/typebox';
import type { AddressInput, Problems } from '../../../domain/subscriber/address.ts';
import { SUBSCRIBER_MODES, type Narrowing, type SubscriberMode } from '../../../domain/subscriber/events.ts';
import type { SubscriptionField, SubscriptionWords } from '../../../messages/page-words/subscription/words.ts';
import { SCOPES, type SubscriptionScope } from '../../../views/subscription/scope-choice.tsx';
import type { TypedAddress } from '../../../views/subscription/subscribe-page.tsx';

/**
 * A form field. Its maximum length is greater than that of all valid values, so that the page can report a value that
 * is too long next to its field.
 */
const FIELD = Type.Optional(Type.String({ maxLength: 5_000 }));
const MAX_COMPONENTS = 1_000;

/** The form body of `/subscribe`. */
export const SubscribeBody = Type.Object({
  mode: FIELD,
  email: FIELD,
  phone_country: FIELD,
  phone_number: FIELD,
  endpoint: FIELD,
  contact_email: FIELD,
  scope: FIELD,
  component_ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_COMPONENTS })),
  incident: FIELD,
});
export type SubscribeBody = Static<typeof SubscribeBody>;

/** A subscription requested by a visitor. */
export interface SubscriptionRequest {
  typed: TypedAddress;
  scope: SubscriptionScope | null;
  componentIds: readonly string[];
  incidentId: string | null;
}

/** Returns the values of a submitted form without validating them. */
export const subscriptionRequestIn = (body: SubscribeBody): SubscriptionRequest => ({
  typed: {
    mode: SUBSCRIBER_MODES.find((mode) => mode === body.mode) ?? null,
    email: body.email ?? '',
    phone_country: body.phone_country ?? '',
    phone_number: body.phone_number ?? '',
    endpoint: body.endpoint ?? '',
    contact_email: body.contact_email ?? '',
  },
  scope: SCOPES.find((scope) => scope === body.scope) ?? null,
  componentIds: [...new Set(body.component_ids)],
  incidentId: body.incident ?? null,
});

/** Converts the typed address for the commands, which expect the contact of a webhook as `email`. */
export const inputOf = (mode: SubscriberMode, { email, contact_email, ...rest }: TypedAddress): AddressInput => ({
  ...rest,
  mode,
  email: mode === 'webhook' ? contact_email : email,
});

/** Returns the requested scope of a subscription. */
export const narrowingOf = ({ scope, componentIds, incidentId }: SubscriptionRequest): Narrowing => ({
  component_ids: scope === 'components' ? [...componentIds] : null,
  // Replace a missing id by an empty one, which the command rejects. With null, the subscription would cover the whole
  // page.
  incident_id: scope === 'incident' ? (incidentId ?? '') : null,
});

const FIELDS = ['email', 'phone_country', 'phone_number', 'endpoint', 'component_ids'] as const;

/** Returns the page's error messages for errors of the commands, by form field. */
export const problemsOf = (
  refused: Problems,
  mode: SubscriberMode,
  { problems }: SubscriptionWords,
): Partial<Record<SubscriptionField, string>> =>
  Object.fromEntries(
    FIELDS.filter((field) => refused[field] !== undefined).map((field) => {
      const shown = field === 'email' && mode === 'webhook' ? 'contact_email' : field;
      return [shown, problems[shown]];
    }),
  );
