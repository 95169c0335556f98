import { derivedId } from '../../domain/identity.ts';

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
};

/**
 * The slots at which a check is due: every `interval` seconds, with a phase derived from its id, so that the load of
 * many checks is spread and stays the same across restarts.
 *
 * @returns the first slot after `now`; both in milliseconds since 1970
 */
export const nextSlot = (checkId: string, interval: number, now: number): number => {
  const period = interval * 1_000;
  const phase = hash(checkId) % period;
  return Math.floor((now - phase) / period) * period + phase + period;
};

/** The id of a check's run at a slot: always the same, whichever process computes it. */
export const runIdOf = (checkId: string, slot: number): string => derivedId(`run/${checkId}/${slot}`);

/** With several regions, runs rotate through them. */
export const regionOfSlot = <R>(regions: readonly [R, ...R[]], interval: number, slot: number): R =>
  regions[Math.floor(slot / (interval * 1_000)) % regions.length] ?? regions[0];
