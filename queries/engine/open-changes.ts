import { isFields } from '../../domain/fields.ts';
import { fieldOf, mapSealedTexts } from '../../domain/check/sealing.ts';
import { isSealed } from '../../domain/sealed.ts';
import { ADDRESS_FIELDS, SUBSCRIBER_MODES, type SubscriberMode } from '../../domain/subscriber/events.ts';
import type { FieldChange } from '../../projections/audit/documents.ts';
import { openText } from '../../stores/keys/port.ts';
import { showConfiguration } from '../alerts/alert-channels.ts';
import { maskAddress } from '../pages/recipients.ts';
import type { Scope } from './scope.ts';

/** A list of changes, and the organization it belongs to. */
export interface OwnedChanges {
  organizationId: string;
  resource_type: string;
  changes: Record<string, FieldChange>;
}

/**
 * Decrypts texts in changes: parameters of checks and jobs, addresses of subscribers (masked), configurations of alert
 * channels (masked as for viewers), names and e-mails of users, and invoice details. Other values are not decrypted,
 * because callers can send values that look like encrypted texts.
 */
export const decryptChanges = async (
  { keys }: Pick<Scope, 'keys'>,
  { organizationId, resource_type, changes }: OwnedChanges,
): Promise<Record<string, FieldChange>> => {
  if (resource_type === 'subscriber') return withMaskedAddress({ keys }, organizationId, changes);
  if (resource_type === 'alert_channel') return withShownConfiguration({ keys }, organizationId, changes);
  if (resource_type === 'report') return withMaskedRecipients({ keys }, organizationId, changes);
  if (resource_type === 'user' || resource_type === 'organization') {
    return withOpenedFields({ keys }, { organizationId, resource_type, changes });
  }
  const { parameters, ...others } = changes;
  if (!parameters || (resource_type !== 'check' && resource_type !== 'job')) return changes;
  const open = async (given: unknown): Promise<unknown> =>
    typeof given !== 'object' || given === null
      ? given
      : mapSealedTexts(given as Record<string, unknown>, null, (text, place) =>
          isSealed(text) && !place.secret ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text,
        );
  return { ...others, parameters: { old: await open(parameters.old), new: await open(parameters.new) } };
};

/** Encrypted fields that are shown, by resource type. `invoice_details` contains four encrypted texts. */
const SHOWN: Record<'user' | 'organization', readonly string[]> = {
  user: ['email', 'first_name', 'last_name'],
  organization: ['invoice_details'],
};

const withOpenedFields = async (
  { keys }: Pick<Scope, 'keys'>,
  { organizationId, resource_type, changes }: OwnedChanges & { resource_type: 'user' | 'organization' },
): Promise<Record<string, FieldChange>> => {
  const open = async (given: unknown, field: string): Promise<unknown> => {
    if (isSealed(given)) return openText(given, { organizationId, field }, keys);
    if (!isFields(given)) return given;
    const inner = Object.entries(given).map(async ([name, value]) => [name, await open(value, `${field}.${name}`)]);
    return Object.fromEntries((await Promise.all(inner)) as [string, unknown][]);
  };
  const shown = Object.entries(changes).map(async ([field, change]): Promise<[string, FieldChange]> => {
    if (!SHOWN[resource_type].includes(field)) return [field, change];
    return [field, { old: await open(change.old, field), new: await open(change.new, field) }];
  });
  return Object.fromEntries(await Promise.all(shown));
};

/** Decrypts and masks the addresses of a report's recipients. */
const withMaskedRecipients = async (
  { keys }: Pick<Scope, 'keys'>,
  organizationId: string,
  changes: Record<string, FieldChange>,
): Promise<Record<string, FieldChange>> => {
  const { recipients, ...others } = changes;
  if (!recipients || !Array.isArray(recipients.new)) return changes;
  const shown = recipients.new.map(async (text: unknown) =>
    isSealed(text) ? maskAddress('email', await openText(text, { organizationId, field: 'recipients' }, keys)) : text,
  );
  return { ...others, recipients: { old: recipients.old, new: await Promise.all(shown) } };
};

/** Decrypts the configuration of an alert channel, and masks it as for users who cannot change it. */
const withShownConfiguration = async (
  { keys }: Pick<Scope, 'keys'>,
  organizationId: string,
  changes: Record<string, FieldChange>,
): Promise<Record<string, FieldChange>> => {
  const { configuration, ...others } = changes;
  if (!configuration) return changes;
  const show = async (given: unknown): Promise<unknown> =>
    isFields(given) ? showConfiguration({ keys }, { organizationId, type: null }, given, { reveal: false }) : given;
  return { ...others, configuration: { old: await show(configuration.old), new: await show(configuration.new) } };
};

/** The subscriber modes, by the field of the API that shows their addresses. */
const modeOf = new Map<string, SubscriberMode>(SUBSCRIBER_MODES.map((mode) => [ADDRESS_FIELDS[mode], mode]));

const withMaskedAddress = async (
  { keys }: Pick<Scope, 'keys'>,
  organizationId: string,
  changes: Record<string, FieldChange>,
): Promise<Record<string, FieldChange>> => {
  const shown = await Promise.all(
    Object.entries(changes).map(async ([field, { old, new: value }]): Promise<[string, FieldChange]> => {
      if (!isSealed(value)) return [field, { old, new: value }];
      const text = await openText(value, { organizationId, field: 'address' }, keys);
      const mode = modeOf.get(field);
      return [field, { old, new: mode ? maskAddress(mode, text) : text }];
    }),
  );
  return Object.fromEntries(shown);
};
