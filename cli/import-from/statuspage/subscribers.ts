import type { Fields } from '../../../domain/fields.ts';
import { readAddress } from '../../../domain/subscriber/address.ts';
import { csvLine } from '../../../messages/csv.ts';
import type { Reference } from '../../configuration/model.ts';
import type { ImportedSubscribers } from '../imported.ts';
import type { PageParts } from './components.ts';
import type { Remarks } from '../remarks.ts';
import { objectsOf, textOf } from './values.ts';

const COLUMNS = [
  'mode',
  'email',
  'phone_number',
  'phone_country',
  'endpoint',
  'component_ids',
  'skip_confirmation_notification',
  'status',
] as const;

/**
 * Maps the subscribers of a page to a CSV file. Confirmed subscribers need no confirmation. Subscribers that could only
 * be added by sending them a message are left out, because an import sends none.
 */
export const subscribersOf = (
  subscribers: readonly Fields[],
  page: string,
  parts: PageParts,
  remarks: Remarks,
): ImportedSubscribers | null => {
  const left = new Map<string, number>();
  const components = new Map<string, Reference>();
  const labels: string[] = [];
  const lines = subscribers.flatMap((subscriber): string[] => {
    const mode = modeOf(subscriber);
    const narrowed = componentsOf(subscriber, parts);
    const reason = reasonToLeaveOut(subscriber, mode, narrowed);
    if (reason !== null) {
      left.set(reason, (left.get(reason) ?? 0) + 1);
      return [];
    }
    const problem = addressProblem(subscriber, mode);
    if (problem !== null) {
      remarks.add(`was left out, because the service would refuse it: ${problem}`, labelOf(subscriber));
      return [];
    }
    if (narrowed?.isPart === true) {
      remarks.add('is subscribed only to those of its components that are in the files.', labelOf(subscriber));
    }
    labels.push(labelOf(subscriber));
    const keys = (narrowed?.components ?? []).map((component) => {
      const key = Buffer.from(JSON.stringify(component)).toString('base64url');
      components.set(key, component);
      return key;
    });
    const cell = (name: string): string => textOf(subscriber[name]) ?? '';
    const cells = [cell('email'), cell('phone_number'), cell('phone_country'), ''];
    return [csvLine([mode, ...cells, [...new Set(keys)].join(' '), 'yes', stateOf(subscriber)])];
  });
  for (const [reason, count] of left)
    remarks.add(`${count} ${count === 1 ? 'subscriber was' : 'subscribers were'} left out: ${reason}`);
  return lines.length === 0 ? null : { page, csv: `${csvLine(COLUMNS)}${lines.join('')}`, labels, components };
};

/** Names a subscriber without its address. */
const labelOf = ({ id, source }: Fields): string =>
  textOf(source) ?? (textOf(id) === null ? 'subscriber without id' : `subscriber ${textOf(id) ?? ''}`);

/** Returns what the service would refuse in the address; null if it is valid. No sentence contains the address. */
const addressProblem = (subscriber: Fields, mode: string): string | null => {
  if (mode !== 'email' && mode !== 'sms') return null;
  const [email, phone_number, phone_country] = ['email', 'phone_number', 'phone_country'].map((name) =>
    textOf(subscriber[name]),
  );
  const read = readAddress({ mode, email, phone_number, phone_country });
  if ('address' in read) return null;
  return Object.entries(read.problems)
    .map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
    .join(' ');
};

const modeOf = (subscriber: Fields): string => {
  const mode = textOf(subscriber['mode'])?.toLowerCase();
  if (mode !== undefined) return mode;
  if (textOf(subscriber['endpoint']) !== null) return 'webhook';
  return textOf(subscriber['phone_number']) === null ? 'email' : 'sms';
};

/** Returns the state of a subscriber, in the words of an import (docs/reference/subscribers.md#import). */
const stateOf = (subscriber: Fields): string => {
  const state = textOf(subscriber['state'])?.toLowerCase() ?? '';
  if (textOf(subscriber['quarantined_at']) !== null || state === 'quarantined') return 'quarantined';
  if (['unsubscribed', 'inactive', 'deleted', 'removed'].includes(state)) return 'unsubscribed';
  // Statuspage purges subscribers that did not confirm, and those in quarantine.
  if (['unconfirmed', 'pending'].includes(state) || textOf(subscriber['purge_at']) !== null) return 'pending';
  return 'active';
};

/** The components to which a subscription is narrowed. */
interface Narrowed {
  /** the components that are known */
  components: Reference[];
  /** whether others are unknown */
  isPart: boolean;
}

/** Returns the components to which a subscription is narrowed; null for none. */
const componentsOf = (subscriber: Fields, { references, named }: PageParts): Narrowed | null => {
  const { components } = subscriber;
  const requested =
    typeof components === 'string'
      ? wordsOf(components, references)
      : Array.isArray(components)
        ? [...components.map(textOf), ...objectsOf(components).map(({ id }) => textOf(id))].filter(
            (one) => one !== null,
          )
        : [];
  if (requested.length === 0) return null;
  const found = requested.map((one) => references.get(one) ?? named.get(one));
  return { components: found.flatMap((one) => one ?? []), isPart: found.includes(undefined) };
};

/** Splits a cell with the ids or the names of components. Ids contain no white space. */
const wordsOf = (cell: string, references: PageParts['references']): string[] => {
  const words = cell.split(/[\s,;|]+/).filter((word) => word !== '');
  if (/^(?:all|page|everything)$/i.test(cell.trim())) return [];
  return words.every((word) => references.has(word))
    ? words
    : cell
        .split(/[,;|]/)
        .map((name) => name.trim())
        .filter((name) => name !== '');
};

const reasonToLeaveOut = (subscriber: Fields, mode: string, narrowed: Narrowed | null): string | null => {
  if (mode === 'webhook') {
    return (
      'a webhook must answer a challenge, which an import does not send. Subscribe it with POST ' +
      '/v1/pages/{page_id}/subscribers once its receiver expects the messages of Uptrail.'
    );
  }
  if (mode !== 'email' && mode !== 'sms') {
    return `Uptrail has no subscriptions by ${mode}. A webhook or an alert channel can post to it.`;
  }
  switch (stateOf(subscriber)) {
    case 'pending':
      return 'they have not confirmed their subscription, and an import sends no confirmation. They can subscribe again.';
    case 'quarantined':
      return 'they are in quarantine, because messages to them failed. They can subscribe again.';
    case 'unsubscribed':
      return 'they have unsubscribed.';
    default:
      return narrowed?.components.length === 0
        ? 'the components to which they are subscribed are not in the files. Import the components too.'
        : null;
  }
};
