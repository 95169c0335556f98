import type { Outcome } from '../../probes/engine/check-type.ts';
import type { TlsFacts } from '../../domain/check/types/metadata.ts';
import type { Step } from '../../probes/web/redirects.ts';
import { table } from '../../service/output.ts';

/** Formats an outcome for a terminal: the result, the target, and the duration of each phase. */
export const presentOutcome = ({ status, response_time, error_message, check_metadata }: Outcome): string[] => {
  const { timings, headers, redirect_chain, body_excerpt, ...facts } = check_metadata;
  const rows = [
    ...Object.entries(facts).map(([name, value]) => [name, SHOWN[name]?.(value) ?? shown(value)]),
    ...((redirect_chain ?? []) as Step[]).map(({ status_code, url }) => [`  ${status_code}`, url]),
    ...Object.entries((headers ?? {}) as Record<string, string>).map(([name, value]) => [`  ${name}`, value]),
    ...Object.entries((timings ?? {}) as Record<string, number | null>).flatMap(([phase, time]) =>
      time === null ? [] : [[phase, `${time} ms`]],
    ),
    ...(response_time === null ? [] : [['total', `${response_time} ms`]]),
  ];
  const heading = error_message === null ? status : `${status}: ${error_message}`;
  const excerpt = typeof body_excerpt === 'string' ? ['', ...body_excerpt.split(/\r?\n/)] : [];
  return [heading, ...table(['', ''], rows).slice(1), ...excerpt];
};

/** Formats metadata that consists of more than one value. */
const SHOWN: Readonly<Record<string, (value: unknown) => string>> = {
  tls: (value) => {
    const { version, cipher, not_after, issuer_expires_first: issuer } = value as TlsFacts;
    const before = issuer ? `, that of its issuer ${issuer.subject} on ${issuer.not_after.slice(0, 10)}` : '';
    return `${version} ${cipher}, the certificate expires on ${not_after.slice(0, 10)}${before}`;
  },
};

const shown = (value: unknown): string =>
  value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
