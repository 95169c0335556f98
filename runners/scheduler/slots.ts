import { derivedId } from '../../domain/identity.ts';

/** Hashes a text with FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
};

/**
 * Returns the first slot after `now`, both in milliseconds since 1970. A check has a slot every `interval` seconds. The
 * phase of the slots is derived from the check's id, so that the load of many checks is spread and does not change
 * after a restart.
 */
export const nextSlot = (checkId: string, interval: number, now: number): number => {
  const period = interval * 1_000;
  const phase = hash(checkId) % period;
  return Math.floor((now - phase) / period) * period + phase + period;
};

/** Returns the id of a check's run at a slot. All processes compute the same id. */
export const runIdOf = (checkId: string, slot: number): string => derivedId(`run/${checkId}/${slot}`);

/** Returns the region for a slot. The runs of a check with several regions rotate through these regions. */
export const regionOfSlot = <R>(regions: readonly [R, ...R[]], interval: number, slot: number): R =>
  regions[Math.floor(slot / (interval * 1_000)) % regions.length] ?? regions[0];
