import { mutedUntil } from '../../domain/mute.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import type { AlertDocument } from '../../projections/alerts/documents.ts';
import { mutesOf } from '../../projections/alerts/mutes.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { AlertEventName } from '../../messages/alert/alert-facts.ts';
import type { CauseContext, Postponed, DeliveryToCompose } from './cause.ts';

/**
 * Maximum age of a message that is sent without reading the mutes. No mute was in effect when the message was planned,
 * because muted alerts are not on the list of causes. Before an older message is sent, for example a retry, the mutes
 * are read.
 */
const FRESH_MS = 2_000;

/**
 * Determines the effect of a mute that began after a message about an alert was planned
 * (docs/reference/alerts.md#muting).
 *
 * @returns null if the message must be sent now; a time if it must wait; `over` if it must not be sent, because the
 * alert was resolved before the mute ended
 */
export const muteEffectOn = async (
  { created_at }: Pick<DeliveryToCompose, 'created_at'>,
  alert: AlertDocument,
  event: AlertEventName,
  { read, clock }: Pick<CauseContext, 'read' | 'clock'>,
): Promise<Postponed | 'over' | null> => {
  const now = clock();
  if (Math.abs(now - millisecondsOf(created_at)) < FRESH_MS) return null;
  const mutes = await read(alerts).mutes.getMany(mutesOf(alert));
  const resolved_at = alert.resolved_at;
  const isOver = resolved_at !== null && mutes.some(({ muted_until }) => muted_until > resolved_at);
  if (event === 'alert.fired' && isOver) return 'over';
  const until = mutes.flatMap(({ muted_until }) => mutedUntil(muted_until, instantOf(now)) ?? []);
  const notBefore = until.sort().at(-1);
  return notBefore === undefined ? null : { notBefore };
};
