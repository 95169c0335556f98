import type { CertificateInfo } from '../../../domain/check/types/certificate-info.ts';
import type { SslMetadata } from '../../../domain/check/types/ssl.ts';
import { table } from '../../../service/output.ts';
import type { Report } from './report.ts';

/**
 * Formats an ssl run for a terminal: the grade with its deductions, the certificate, the protocols and ciphers, and the
 * vulnerabilities.
 */
export const sslReport: Report = ({ status, error_message, response_time, check_metadata }) => {
  const metadata = check_metadata as SslMetadata;
  const { checks, deduction_summary, missing } = metadata;
  const sections: [title: string, lines: string[]][] = [
    ['Deductions', deduction_summary.map((sentence) => `- ${sentence}`)],
    ['Not determined', missing.map(({ details }) => `- ${details}`)],
    ['Certificate', checks.certificate_info ? certificateLines(checks.certificate_info) : []],
    ['Protocols and ciphers', protocolLines(metadata)],
    ['Vulnerabilities', vulnerabilityLines(checks.vulnerabilities)],
  ];
  return [
    error_message === null ? status : `${status}: ${error_message}`,
    '',
    ...rows([
      ['grade', gradeOf(metadata)],
      ['server', serverOf(metadata)],
      ['handshake', handshakeOf(metadata, response_time)],
      ['scanned', metadata.scanned_at],
      ['truncated', metadata.truncated === true ? 'long lists were truncated' : null],
    ]),
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)],
    ),
  ];
};

/** Formats facts in two columns, without facts that are unknown. */
const rows = (facts: readonly (readonly [string, string | null])[]): string[] =>
  table(
    ['', ''],
    facts.flatMap(([name, fact]) => (fact === null ? [] : [[name, fact]])),
  ).slice(1);

const gradeOf = ({ ssl_grade: grade, ssl_score: score, category_scores: points }: SslMetadata): string | null => {
  if (grade === null || score === null) return null;
  const parts = points
    ? `: protocols ${String(points.protocol)}, key exchange ${String(points.key_exchange)}, ciphers ${String(points.cipher_strength)}`
    : '';
  return `${grade}, ${score} of 100${parts}`;
};

const serverOf = ({ host, port, address, starttls }: SslMetadata): string => {
  const where = address === null || address === host ? '' : ` at ${address}`;
  return `${host}${where}, port ${port}${starttls === null ? '' : `, STARTTLS over ${starttls}`}`;
};

const handshakeOf = ({ handshake, handshake_failure }: SslMetadata, took: number | null): string | null =>
  handshake ? `${handshake.version} ${handshake.cipher}${took === null ? '' : ` in ${took} ms`}` : handshake_failure;

const dayOf = (instant: string): string => instant.slice(0, 10);

const certificateLines = (info: CertificateInfo): string[] => {
  const { subject_alternative_names: names, subject_alternative_names_total: total } = info;
  const first = info.issuer_expires_first;
  const shown = names.slice(0, 5).join(', ');
  const size = info.key_curve ?? (info.key_size === null ? '' : `${info.key_size} bits`);
  return [
    ...rows([
      ['subject', info.subject],
      ['issuer', info.issuer],
      ['names', total > 5 ? `${shown} and ${total - 5} more` : shown || 'none'],
      ['valid', `${dayOf(info.not_before)} to ${dayOf(info.not_after)}, ${info.days_left} days left`],
      ['until', first ? `${dayOf(first.not_after)}, when its issuer ${first.subject} expires` : null],
      ['key', `${info.key_type} ${size}, signed with ${info.signature_algorithm}`],
      ['trusted', info.in_trust_store ? 'yes' : 'no'],
      ['revoked', info.is_revoked === null ? `unknown: ${info.revocation.details}` : info.is_revoked ? 'yes' : 'no'],
      ['stapling', info.ocsp_stapling_details.details],
      ['chain', `${info.chain_total} sent${info.path ? `, path of ${info.path.length}` : ''}`],
      ['validation', info.validation],
    ]),
    ...info.problems.map(({ details }) => `! ${details}`),
    ...info.notes.map((note) => `- ${note}`),
  ];
};

const protocolLines = ({ checks, missing }: SslMetadata): string[] => {
  const protocols = Object.entries(checks.protocol_support);
  if (protocols.every(([, { supported }]) => !supported)) return [];
  const isComplete = missing.every(({ part }) => part !== 'protocols');
  const weak = new Map(checks.weak_ciphers_found_details.map(({ cipher, reasons }) => [cipher, reasons.join(', ')]));
  return protocols.flatMap(([name, { supported, ciphers, server_preference: ordered }]) => {
    if (!supported) return isComplete ? [`${titleOf(name)}  no`] : [`${titleOf(name)}  not seen`];
    const order = ordered === null ? '' : ordered ? ', the server chooses' : ', the client chooses';
    return [
      `${titleOf(name)}  yes${order}`,
      ...ciphers.map((cipher) => {
        const reasons = weak.get(cipher);
        return reasons === undefined ? `    ${cipher}` : `  ! ${cipher} (${reasons})`;
      }),
    ];
  });
};

/** Formats the name of a protocol: `tls_1_2` → `TLS 1.2`. */
const titleOf = (name: string): string => name.replace(/_(\d)_(\d)$/, ' $1.$2').toUpperCase();

const vulnerabilityLines = (found: SslMetadata['checks']['vulnerabilities']): string[] => {
  const marks = Object.entries(found).map(([name, { vulnerable, tested, details }]) => ({
    mark: vulnerable ? '!' : tested ? ' ' : '?',
    name,
    what: vulnerable ? details : tested ? 'no' : `not tested: ${details}`,
  }));
  return table(
    ['', ''],
    marks.map(({ mark, name, what }) => [`${mark} ${name}`, what]),
  ).slice(1);
};
