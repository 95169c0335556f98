import { isSealed } from '../domain/check/sealing.ts';
import type { Sealed } from '../domain/event.ts';
import { UnreadableSeal, type Keys } from '../stores/keys/port.ts';

/** What is shown in place of a text whose key is missing, as after a restore of the logs alone. */
export const UNREADABLE = '[unreadable]';

/** A sealed text for people who look at the past: the rest is worth reading though some of it can't be read. */
export const openText = async (sealed: Sealed, keys: Pick<Keys, 'open'>): Promise<string> => {
  try {
    return await keys.open(sealed);
  } catch (error) {
    if (error instanceof UnreadableSeal) return UNREADABLE;
    throw error;
  }
};

/** The same value with every sealed text in it opened. */
export const openSealed = async (value: unknown, keys: Pick<Keys, 'open'>): Promise<unknown> => {
  if (isSealed(value)) return openText(value, keys);
  if (Array.isArray(value)) return Promise.all(value.map((part) => openSealed(part, keys)));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(async ([name, part]) => [name, await openSealed(part, keys)] as const);
  return Object.fromEntries(await Promise.all(parts));
};
