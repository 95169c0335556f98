/** The status of a certificate in an OCSP response or a revocation list. Times are in milliseconds since 1970. */
export interface RevocationStatus {
  status: 'good' | 'revoked' | 'unknown';
  producedAt: number | null;
  thisUpdate: number;
  nextUpdate: number | null;
  revokedAt: number | null;
  /** a name from RFC 5280, 5.3.1: `keyCompromise` */
  reason: string | null;
}

/**
 * The status of a certificate. If the response is unusable, `answer` is null, and `why` is the predicate of a sentence
 * about the source: `cannot be read`.
 */
export type RevocationReading = { answer: RevocationStatus } | { answer: null; why: string };

/** Tolerance for responders whose clocks are ahead, in milliseconds. */
const SKEW_MS = 5 * 60_000;
/** Validity of a response that names no next update, in milliseconds. Authorities renew their responses within days. */
const WITHOUT_END_MS = 7 * 86_400_000;

/** Returns the reason why a response is not current; null if it is current. @param now milliseconds since 1970 */
export const whyNotCurrent = (
  { thisUpdate, nextUpdate }: Pick<RevocationStatus, 'thisUpdate' | 'nextUpdate'>,
  now: number,
): string | null => {
  if (thisUpdate > now + SKEW_MS) return `is not valid before ${secondOf(thisUpdate)}`;
  const until = nextUpdate ?? thisUpdate + WITHOUT_END_MS;
  return until < now - SKEW_MS ? `was valid only until ${secondOf(until)}` : null;
};

/** Formats a time as `2026-11-20 15:04:05 UTC`. */
const secondOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const REASONS = [
  ...['unspecified', 'keyCompromise', 'cACompromise', 'affiliationChanged', 'superseded', 'cessationOfOperation'],
  ...['certificateHold', undefined, 'removeFromCRL', 'privilegeWithdrawn', 'aACompromise'],
];

/** Returns the name of a revocation reason; null if there is none. */
export const reasonOf = (code: number | undefined): string | null =>
  code === undefined ? null : (REASONS[code] ?? null);
