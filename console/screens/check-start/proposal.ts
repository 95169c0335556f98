import type { JsonObject } from '../check-form/paths.ts';
import type { Address, ProposedType } from './address.ts';
import { DAY_SECONDS } from '../../../domain/time.ts';

/** A check to be created. */
export interface Proposal {
  name: string;
  type: ProposedType;
  interval: number;
  /** text that the response must contain; empty: none */
  keyword: string;
  /** days for which the certificate must still be valid; null: not checked */
  certificateDays: number | null;
}

/**
 * The check fails if the certificate expires within this number of days. Automatic renewal normally happens earlier,
 * more than {@link CERTIFICATE_DAYS} days before the expiry. So a failed check means that the renewal has failed.
 */
const CERTIFICATE_DAYS = 14;
const LONGEST_NAME = 100;

const INTERVALS: Readonly<Record<ProposedType, number>> = { web: 60, api: 60, tcp: 60, ssl: 3_600, dns: 300, icmp: 60 };

const nameOf = ({ url, host, port }: Address, type: ProposedType): string => {
  if (url !== null && (type === 'web' || type === 'api')) {
    const { host: place, pathname } = new URL(url);
    return `${place}${pathname === '/' ? '' : pathname}`.slice(0, LONGEST_NAME);
  }
  const hasPort = type === 'tcp' && port !== null;
  return (hasPort ? `${host.includes(':') ? `[${host}]` : host}:${port}` : host).slice(0, LONGEST_NAME);
};

/**
 * Returns the proposed check for an address.
 *
 * @param available types that the default region supports. The best matching type among them is proposed
 * @param shortest the shortest interval that the plan allows, in seconds; null: any
 */
export const proposalOf = (
  address: Address,
  available: ReadonlySet<string>,
  shortest: number | null,
  chosen: ProposedType | null = null,
): Proposal => {
  const possible = address.types.filter((type) => available.has(type));
  const type = possible.find((one) => one === chosen) ?? possible[0] ?? address.type;
  const isEncrypted = type === 'ssl' || ((type === 'web' || type === 'api') && address.tls);
  return {
    name: nameOf(address, type),
    type,
    interval: Math.max(INTERVALS[type], shortest ?? 0),
    keyword: '',
    certificateDays: isEncrypted ? CERTIFICATE_DAYS : null,
  };
};

const parametersOf = (
  { username, password, tls }: Address,
  { type, keyword, certificateDays }: Proposal,
): JsonObject => {
  switch (type) {
    case 'web':
    case 'api':
      return {
        ...((username !== '' || password !== '') && { http_request: { username, password } }),
        ...(keyword !== '' && { search_text: keyword }),
        ...(certificateDays !== null && { assertions: { min_certificate_days: certificateDays } }),
      };
    case 'tcp':
      return { ...(tls && { tls: true }), ...(keyword !== '' && { search_text: keyword }) };
    case 'ssl':
      return certificateDays === null ? {} : { assertions: { expiration_threshold: certificateDays * DAY_SECONDS } };
    case 'dns':
      return { record_type: 'A' };
    case 'icmp':
      return {};
  }
};

/** Returns the body of `POST /v1/checks` for a proposal. */
export const bodyOf = (address: Address, proposal: Proposal): JsonObject => {
  const { url, host, port } = address;
  const { type, name, interval } = proposal;
  const isWeb = type === 'web' || type === 'api';
  const needsPort = type === 'tcp' || type === 'ssl';
  return {
    name,
    type,
    interval,
    ...(isWeb ? { url } : { host }),
    ...(needsPort && port !== null && { port }),
    parameters: parametersOf(address, proposal),
  };
};
