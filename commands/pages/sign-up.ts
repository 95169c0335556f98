import { randomBytes } from 'node:crypto';
import type { EventData, EventOf } from '../../domain/event-types.ts';
import { ConcurrentChange } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity.ts';
import { isExisting } from '../../domain/existence.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { readAddress, type Address, type AddressInput, type Problems } from '../../domain/subscriber/address.ts';
import { ADDRESS_FIELDS, type SubscriberEvent, type SubscriberMode } from '../../domain/subscriber/events.ts';
import { changeSubscriber } from '../../domain/subscriber/decide.ts';
import { admit, type Admission, type SignUp } from '../../domain/subscriber/sign-up.ts';
import { subscriberDecider, subscriberKey, type Subscriber } from '../../domain/subscriber/state.ts';
import { unconfirmedUntil } from '../../domain/subscriber/retention-periods.ts';
import { FORGOTTEN, KeyForgotten, openText, UNREADABLE, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** Creates a random secret in the format of Standard Webhooks. */
export const randomSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * An address that subscribes to a page, with fingerprints. The fingerprints reveal nothing without the key of this
 * service.
 */
export interface IdentifiedSubscriber {
  /** id of the subscriber */
  id: string;
  page_id: string;
  address: Address;
  /** fingerprint of the address, the same on all pages */
  address_key: string;
  /** Fingerprint of the target. Receivers with the same target share a rate limit. */
  target: string;
}

/** Returns the notifier settings for an address. */
const settingsOf = (mode: SubscriberMode, text: string): Record<string, string> => {
  switch (mode) {
    case 'email':
      return { address: text };
    case 'sms':
      return { number: text };
    case 'webhook':
      return { url: text };
  }
};

/** Parses an address, and checks that messages can be sent to it. Returns the address, or error messages by field. */
export const usableAddress =
  ({ receivers, signUps }: Pick<CommandDependencies, 'receivers' | 'signUps'>) =>
  (input: AddressInput): { address: Address } | { problems: Problems } => {
    const read = readAddress(input);
    if ('problems' in read) return read;
    const { mode, text, phone_country } = read.address;
    if (phone_country !== null && !(signUps.smsCountries?.has(phone_country) ?? true)) {
      return { problems: { phone_country: [`This service sends no text messages to ${phone_country}.`] } };
    }
    const sentences = Object.values(receivers.problems(mode, settingsOf(mode, text))).flat();
    return sentences.length > 0 ? { problems: { [ADDRESS_FIELDS[mode]]: sentences } } : read;
  };

/** Computes the fingerprints that identify an address on a page. */
export const identifySubscriber =
  ({ keys, receivers }: Pick<CommandDependencies, 'keys' | 'receivers'>) =>
  async (page_id: string, address: Address): Promise<IdentifiedSubscriber> => {
    const { mode, identity, text } = address;
    const [fingerprint, address_key, target] = await Promise.all([
      keys.fingerprint('subscriber', JSON.stringify([page_id, mode, identity])),
      keys.fingerprint('subscriber address', JSON.stringify([mode, identity])),
      keys.fingerprint('delivery target', receivers.limitedBy(mode, settingsOf(mode, text))),
    ]);
    return { id: derivedId(fingerprint), page_id, address, address_key, target };
  };

/**
 * Creates the keys of new subscribers in one write. Without this call, {@link addSubscriber} needs one write for each
 * subscriber.
 *
 * @param ids ids of subscribers that do not exist yet
 */
export const prepareSubscribers =
  ({ keys }: Pick<CommandDependencies, 'keys'>) =>
  (ids: readonly string[]): Promise<void> =>
    keys.create(ids.map((id) => subscriberKey(id, 1)));

export interface NewSubscriber extends Pick<SignUp, 'narrowing' | 'trusted' | 'skips' | 'mayAsk' | 'imported'> {
  /** Whether an active subscriber gets messages. Default: true for a new subscriber, unchanged for an existing one. */
  delivers?: boolean;
}

/** The outcome of a sign-up. */
export interface SignUpOutcome {
  /** The new secret of a webhook, which is shown only once. Null if no secret was created. */
  secret: string | null;
  /** Whether anything changed. */
  done: boolean;
}

/**
 * Subscribes an address to a page.
 *
 * @throws Conflict if the address is already subscribed, and the caller is allowed to know this
 */
export const addSubscriber =
  ({ handle, keys, signUps }: Pick<CommandDependencies, 'handle' | 'keys' | 'signUps'>) =>
  async (identified: IdentifiedSubscriber, input: NewSubscriber, context: CommandContext): Promise<SignUpOutcome> => {
    const { now, organizationId } = context;
    const { mode } = identified.address;
    const { events } = await handle(
      identified.id,
      subscriberDecider,
      async (subscriber) => {
        const readable = await isReadable(keys, subscriber, organizationId);
        const admission = admit(subscriber, { ...input, mode, readable }, signUps, now);
        if (admission.does === 'nothing') return [];
        const event = await decided(keys, identified, input, admission, context);
        if (admission.does !== 'ask' || input.delivers === undefined) return [event];
        const changes = changeSubscriber(subscriber, { deliver_notifications: input.delivers }, now);
        // Drop the event that would end a quarantine, because the quarantine ends only when the subscription is
        // confirmed.
        return [event, ...changes.filter(({ type }) => type === 'SubscriberChanged')];
      },
      context,
    );
    // For a repeated command, return the secret of the first run.
    const [event] = events;
    const secret = event ? (event.data as Partial<EventData['SubscriberAdded']>).secret : null;
    const opened = secret ? await keys.open(secret, { organizationId, field: 'secret' }) : null;
    return { secret: opened, done: events.length > 0 };
  };

const decided = async (
  keys: Keys,
  identified: IdentifiedSubscriber,
  { narrowing, trusted, skips, delivers = true }: NewSubscriber,
  admission: Exclude<Admission, { does: 'nothing' }>,
  { now, organizationId }: CommandContext,
): Promise<SubscriberEvent> => {
  const { id, page_id, address, address_key, target } = identified;
  const { mode, text, phone_country, contact_email } = address;
  const newSecret = mode === 'webhook' ? { secret: randomSecret() } : {};
  const event = { subscriber_id: id, page_id, mode, address_key };
  if (admission.does === 'ask') {
    const { known, wanted, asks, added_with_key } = admission;
    const sealed = await orConcurrent(sealedUnder(keys, subscriberKey(id, known.number), newSecret, organizationId));
    return {
      type: 'SubscriberConfirmationRequested',
      data: {
        ...event,
        number: known.number,
        asks,
        wanted,
        secret: sealed.secret ?? null,
        added_with_key,
        purge_at: unconfirmedUntil(now),
        requested_at: now,
      },
    };
  }
  const texts = { address: text, ...(contact_email !== null && { contact_email }), ...newSecret };
  const { number, sealed } = await sealedUnderNextKey(keys, id, admission.after, texts, organizationId);
  return {
    type: 'SubscriberAdded',
    data: {
      ...event,
      number,
      address: sealed.address,
      contact_email: sealed.contact_email ?? null,
      phone_country,
      secret: sealed.secret ?? null,
      target,
      ...narrowing,
      asks: admission.asks,
      deliver_notifications: delivers,
      added_with_key: trusted,
      skip_confirmation_notification: skips,
      verified: skips,
      purge_at: skips ? null : unconfirmedUntil(now),
      added_at: now,
    },
  } satisfies EventOf<'SubscriberAdded'>;
};

/**
 * Tests whether the stored address can be decrypted. If a backup of the log was restored, the log can contain a
 * subscriber whose key was deleted after the backup was made.
 */
const isReadable = async (keys: Keys, subscriber: Subscriber, organizationId: string): Promise<boolean> => {
  if (!isExisting(subscriber)) return false;
  const text = await openText(subscriber.address, { organizationId, field: 'address' }, keys);
  return text !== FORGOTTEN && text !== UNREADABLE;
};

type Texts = Record<string, string>;
type SealedTexts<T extends Texts> = { [F in keyof T]: T[F] extends string ? Sealed : Sealed | undefined };

const sealedUnder = async <T extends Texts>(
  keys: Keys,
  key: string,
  texts: T,
  organizationId: string,
): Promise<SealedTexts<T>> => {
  const sealing = Object.entries(texts).map(async ([field, text]): Promise<[string, Sealed]> => [
    field,
    await keys.seal(key, text, { organizationId, field }),
  ]);
  return Object.fromEntries(await Promise.all(sealing)) as SealedTexts<T>;
};

/**
 * Seals texts with the key of the next subscription of an address. Skips keys that are already deleted. Such keys exist
 * after a backup of the log was restored: the restored log lacks later subscriptions, whose keys may have been created
 * and deleted after the backup.
 */
const sealedUnderNextKey = async <T extends Texts>(
  keys: Keys,
  id: string,
  after: number,
  texts: T,
  organizationId: string,
): Promise<{ number: number; sealed: SealedTexts<T> }> => {
  for (let number = after + 1; ; number++) {
    try {
      return { number, sealed: await sealedUnder(keys, subscriberKey(id, number), texts, organizationId) };
    } catch (error) {
      if (!(error instanceof KeyForgotten)) throw error;
    }
  }
};

/** @throws ConcurrentChange if the subscriber was removed concurrently, together with its key */
const orConcurrent = async <T>(sealing: Promise<T>): Promise<T> => {
  try {
    return await sealing;
  } catch (error) {
    if (error instanceof KeyForgotten) throw new ConcurrentChange();
    throw error;
  }
};
