import { isFields } from '../domain/fields.ts';
import { fieldOf, mapSealedPlaces } from '../domain/check/sealing.ts';
import { isSealed } from '../domain/sealed.ts';
import { ADDRESS_FIELDS, SUBSCRIBER_MODES, type SubscriberMode } from '../domain/subscriber/events.ts';
import type { Change } from '../projections/audit/documents.ts';
import { openText } from '../stores/keys/port.ts';
import { shownConfiguration } from './alert-channels.ts';
import { maskedText } from './recipients.ts';
import type { Scope } from './scope.ts';

/** What changed, and the organization it belongs to. */
export interface ChangesOf {
  organizationId: string;
  resource_type: string;
  changes: Record<string, Change>;
}

/**
 * What changed, with its sealed texts opened: those in the parameters of a check or a job, the address of a
 * subscriber, which is masked, and the configuration of an alert channel as a viewer sees it. Anything else that looks
 * like a sealed text was sent by a caller.
 */
export const openChanges = async (
  { keys }: Pick<Scope, 'keys'>,
  { organizationId, resource_type, changes }: ChangesOf,
): Promise<Record<string, Change>> => {
  if (resource_type === 'subscriber') return withMaskedAddress({ keys }, organizationId, changes);
  if (resource_type === 'alert_channel') return withShownConfiguration({ keys }, organizationId, changes);
  const { parameters, ...others } = changes;
  if (!parameters || (resource_type !== 'check' && resource_type !== 'job')) return changes;
  const open = async (given: unknown): Promise<unknown> =>
    typeof given !== 'object' || given === null
      ? given
      : mapSealedPlaces(given as Record<string, unknown>, null, (text, place) =>
          isSealed(text) && !place.secret ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text,
        );
  return { ...others, parameters: { old: await open(parameters.old), new: await open(parameters.new) } };
};

/** The configuration of an alert channel as those see it who may not change it. */
const withShownConfiguration = async (
  { keys }: Pick<Scope, 'keys'>,
  organizationId: string,
  changes: Record<string, Change>,
): Promise<Record<string, Change>> => {
  const { configuration, ...others } = changes;
  if (!configuration) return changes;
  const show = async (given: unknown): Promise<unknown> =>
    isFields(given) ? shownConfiguration({ keys }, organizationId, given, { reveal: false }) : given;
  return { ...others, configuration: { old: await show(configuration.old), new: await show(configuration.new) } };
};

/** Whose address a field of the interface shows. */
const modeOf = new Map<string, SubscriberMode>(SUBSCRIBER_MODES.map((mode) => [ADDRESS_FIELDS[mode], mode]));

const withMaskedAddress = async (
  { keys }: Pick<Scope, 'keys'>,
  organizationId: string,
  changes: Record<string, Change>,
): Promise<Record<string, Change>> => {
  const shown = await Promise.all(
    Object.entries(changes).map(async ([field, { old, new: value }]): Promise<[string, Change]> => {
      if (!isSealed(value)) return [field, { old, new: value }];
      const text = await openText(value, { organizationId, field: 'address' }, keys);
      const mode = modeOf.get(field);
      return [field, { old, new: mode ? maskedText(mode, text) : text }];
    }),
  );
  return Object.fromEntries(shown);
};
