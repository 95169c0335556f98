import type { Certificate } from './read-certificate.ts';

/**
 * Policies of the CA/Browser Forum's Baseline Requirements (7.1.6.1) and EV Guidelines (9.2.3), the strictest first.
 */
const POLICIES: readonly [string, 'EV' | 'OV' | 'IV' | 'DV'][] = [
  ['2.23.140.1.1', 'EV'],
  ['2.23.140.1.2.2', 'OV'],
  ['2.23.140.1.2.3', 'IV'],
  ['2.23.140.1.2.1', 'DV'],
];
const EV = '2.23.140.1.1';
const ANY_POLICY = '2.5.29.32.0';

/**
 * Returns how the owner was validated before the certificate was issued; null if the certificate names none of the
 * policies.
 */
export const validationOf = ({ policies }: Certificate): 'EV' | 'OV' | 'IV' | 'DV' | null =>
  POLICIES.find(([oid]) => policies.includes(oid))?.[1] ?? null;

/**
 * Returns whether a path to a trust anchor meets the EV guidelines: the server's certificate must name the EV policy,
 * and each issuer below the trust anchor must name the EV policy or anyPolicy.
 */
export const isEv = (path: readonly Certificate[]): boolean =>
  path.length > 1 &&
  path
    .slice(0, -1)
    .every(({ policies }, index) => policies.includes(EV) || (index > 0 && policies.includes(ANY_POLICY)));
