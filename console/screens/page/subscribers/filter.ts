import type { Schemas } from '../../../api/openapi.d.ts';

export type Subscriber = Schemas['Subscriber'];
export type Mode = Subscriber['mode'];
export const MODES = ['email', 'sms', 'webhook'] as const satisfies readonly Mode[];
/** Statuses of subscriptions. Unsubscribed subscriptions are listed only if the filter selects them. */
export const STATUSES = ['active', 'pending', 'quarantined', 'unsubscribed'] as const;
export type Status = (typeof STATUSES)[number];

/** The filter of the subscriber list, stored in the URL. */
export interface Filter {
  page: number;
  q: string;
  mode: Mode | '';
  status: Status | '';
}

const oneOf = <T extends string>(known: readonly T[], text: string | null): T | '' =>
  known.find((one) => one === text) ?? '';

export const filterIn = (query: URLSearchParams): Filter => ({
  page: Math.max(1, Math.floor(Number(query.get('page'))) || 1),
  q: query.get('q') ?? '',
  mode: oneOf(MODES, query.get('mode')),
  status: oneOf(STATUSES, query.get('status')),
});

/**
 * Returns the query that represents a filter in the URL: `?q=ida&status=pending`. Returns an empty text if the filter
 * is empty.
 */
export const queryOf = ({ page, q, mode, status }: Filter): string => {
  const query = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(mode !== '' && { mode }),
    ...(status !== '' && { status }),
    ...(page > 1 && { page: page.toString() }),
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
};

/** Returns the status of a subscription. A subscription that is neither verified nor pending is unsubscribed. */
export const statusOf = ({ has_pending_verification, quarantined_at, is_verified }: Subscriber): Status =>
  has_pending_verification
    ? 'pending'
    : quarantined_at !== null
      ? 'quarantined'
      : is_verified
        ? 'active'
        : 'unsubscribed';

/** Returns the displayed address of a subscriber. */
export const addressOf = ({ mode, email, display_phone_number, endpoint }: Subscriber): string =>
  (mode === 'email' ? email : mode === 'sms' ? display_phone_number : endpoint) ?? '–';
