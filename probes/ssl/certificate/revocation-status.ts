/** The status of a certificate in an OCSP response or a list; times in milliseconds since 1970. */
export interface RevocationStatus {
  status: 'good' | 'revoked' | 'unknown';
  producedAt: number | null;
  thisUpdate: number;
  nextUpdate: number | null;
  revokedAt: number | null;
  /** of RFC 5280, 5.3.1: `keyCompromise` */
  reason: string | null;
}

/** The status, or why it is unusable, as the rest of a sentence whose subject is the source: `is too old`. */
export type RevocationReading = { answer: RevocationStatus } | { answer: null; why: string };

/** Tolerance for responders whose clocks are ahead. */
const SKEW_MS = 5 * 60_000;
/** Validity of a response that names no next update; authorities renew theirs within days. */
const WITHOUT_END_MS = 7 * 86_400_000;

/** Why a response is not current; null if it is. */
export const whyNotCurrent = (
  { thisUpdate, nextUpdate }: Pick<RevocationStatus, 'thisUpdate' | 'nextUpdate'>,
  now: number,
): string | null => {
  if (thisUpdate > now + SKEW_MS) return `is not valid before ${secondOf(thisUpdate)}`;
  const until = nextUpdate ?? thisUpdate + WITHOUT_END_MS;
  return until < now - SKEW_MS ? `was valid only until ${secondOf(until)}` : null;
};

/** `2026-11-20 15:04:05 UTC` */
const secondOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const REASONS = [
  ...['unspecified', 'keyCompromise', 'cACompromise', 'affiliationChanged', 'superseded', 'cessationOfOperation'],
  ...['certificateHold', undefined, 'removeFromCRL', 'privilegeWithdrawn', 'aACompromise'],
];

/** The name of a revocation reason; null if none is given. */
export const reasonOf = (code: number | undefined): string | null =>
  code === undefined ? null : (REASONS[code] ?? null);
