import { isFields } from '../../../domain/fields.ts';
import { SCHEDULES } from '../../../domain/report/events.ts';
import { isTime } from '../../../domain/report/period.ts';
import { isMaskedEmail, MASKED_ADDRESS_SENTENCE } from '../../../domain/subscriber/masking.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { resolvePeriod } from '../../../queries/reports/reports.ts';
import type { Scope } from '../../../queries/engine/scope.ts';

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const timeIn = (value: unknown): string | undefined => (typeof value === 'string' && isTime(value) ? value : undefined);

/** Returns an error for each masked recipient: a new report has no stored address that replaces the mask. */
export const maskedRecipientErrors = (body: unknown): FieldMessages | null => {
  const recipients: unknown = isFields(body) ? body['recipients'] : null;
  const masked = (Array.isArray(recipients) ? recipients : []).flatMap((one: unknown, index) =>
    typeof one === 'string' && isMaskedEmail(one)
      ? [[`recipients.${index}`, [MASKED_ADDRESS_SENTENCE]] as [string, string[]]]
      : [],
  );
  return masked.length === 0 ? null : Object.fromEntries(masked);
};

/**
 * Returns the errors of a body that its schema does not report: unknown ids and an invalid period. The body can have
 * any form. Fields that the schema refuses are ignored.
 */
export const reportBodyErrors = async (
  scope: Scope,
  body: Readonly<Record<string, unknown>>,
): Promise<FieldMessages> => {
  const { check_ids, tag, page_id, schedule, time_zone, period_start, period_end } = body;
  const found = await resolvePeriod(scope, {
    check_ids: texts(check_ids),
    tag: typeof tag === 'string' ? tag : null,
    page_id: typeof page_id === 'string' ? page_id : null,
    schedule: SCHEDULES.find((one) => one === schedule) ?? null,
    time_zone: typeof time_zone === 'string' && isTimeZone(time_zone) ? time_zone : 'UTC',
    period_start: timeIn(period_start),
    period_end: timeIn(period_end),
  });
  if (!('errors' in found)) return {};
  // Drop the errors about times that the schema refuses, because the schema reports these times already.
  const known = Object.entries(found.errors).filter(
    ([field]) => !((field === 'period_start' || field === 'period_end') && field in body && !timeIn(body[field])),
  );
  return Object.fromEntries(known);
};
