import { derivedId } from '../../domain/identity.ts';

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
};

/**
 * The slots at which a check is due: every `interval` seconds, from a phase that is derived from its id,
 * so the load of many checks is spread and stays where it is across restarts.
 *
 * @returns the first slot after `now`; both in milliseconds since 1970
 */
export const nextSlot = (checkId: string, interval: number, now: number): number => {
  const period = interval * 1_000;
  const phase = hash(checkId) % period;
  return Math.floor((now - phase) / period) * period + phase + period;
};

/** One run of a check has one id, whoever computes it and however often. */
export const runIdOf = (checkId: string, slot: number): string => derivedId(`run/${checkId}/${slot.toString()}`);

/** With several regions, runs rotate through them. */
export const regionOfSlot = <R>(regions: readonly [R, ...R[]], interval: number, slot: number): R =>
  regions[Math.floor(slot / (interval * 1_000)) % regions.length] ?? regions[0];
