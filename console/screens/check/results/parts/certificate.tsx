import type { JSX } from 'preact';
import { words } from '../../../../shell/language.ts';
import { fieldsOf, numberOf, rowsOf, textOf, textsOf, type Fields } from '../values.ts';
import { Grid, KnownFacts, Part, Sentences, StatedTime, Text, YesNo } from './shared.tsx';

/** Returns whether an ssl result is complete. A run that failed before the rating has an incomplete result. */
export const isCertificateResult = (metadata: Fields): boolean => 'checks' in metadata;

/** The findings of an ssl check. */
export const CertificatePart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const checks = fieldsOf(metadata['checks']);
  const handshake = fieldsOf(metadata['handshake']);
  const certificate = fieldsOf(checks['certificate_info']);
  return (
    <>
      <KnownFacts
        facts={[
          [says.grade, metadata['ssl_grade'], <Grade metadata={metadata} />],
          [says.address, metadata['address']],
          [says.version, handshake['version']],
          [says.cipher, handshake['cipher']],
          [says.failure, metadata['handshake_failure']],
        ]}
      />
      <Sentences title={says.problems} sentences={rowsOf(certificate['problems']).flatMap(detailsOf)} />
      <Sentences title={says.deductions} sentences={textsOf(metadata['deduction_summary'])} />
      <Certificate certificate={certificate} />
      <Chain certificates={rowsOf(certificate['path'] ?? certificate['chain'])} />
      <Protocols protocols={fieldsOf(checks['protocol_support'])} />
      <Vulnerabilities found={fieldsOf(checks['vulnerabilities'])} />
      <WeakCiphers ciphers={rowsOf(checks['weak_ciphers_found_details'])} />
      <Sentences title={says.notes} sentences={textsOf(certificate['notes'])} />
      <Sentences title={says.notFoundOut} sentences={rowsOf(metadata['missing']).flatMap(detailsOf)} />
    </>
  );
};

const detailsOf = (one: Fields): string[] => {
  const details = textOf(one['details']);
  return details === null ? [] : [details];
};

const Grade = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const score = numberOf(metadata['ssl_score']);
  return (
    <>
      <strong>
        <Text value={metadata['ssl_grade']} />
      </strong>
      {score !== null && ` · ${score}/100`}
    </>
  );
};

const Certificate = ({ certificate }: { certificate: Fields }): JSX.Element | null => {
  const { result: says } = words.value;
  if (Object.keys(certificate).length === 0) return null;
  const key = [certificate['key_type'], certificate['key_size'], certificate['key_curve']];
  return (
    <Part title={says.certificate}>
      <KnownFacts
        facts={[
          [says.subject, certificate['subject']],
          [says.issuer, certificate['issuer']],
          [says.names, textsOf(certificate['subject_alternative_names']).join(' ')],
          [says.begins, certificate['not_before'], <StatedTime value={certificate['not_before']} />],
          [says.expires, certificate['not_after'], <StatedTime value={certificate['not_after']} />],
          [says.daysLeft, certificate['days_left']],
          [says.trusted, certificate['in_trust_store'], <YesNo value={certificate['in_trust_store']} />],
          [says.otherHost, certificate['hostname_mismatch'], <YesNo value={certificate['hostname_mismatch']} />],
          [says.revoked, certificate['is_revoked'], <YesNo value={certificate['is_revoked']} />],
          [says.key, key.flatMap((part) => textOf(part) ?? []).join(' ')],
          [says.signature, certificate['signature_algorithm']],
          [says.serialNumber, certificate['serial_number']],
          ['SHA-256', certificate['fingerprint_sha256']],
        ]}
      />
    </Part>
  );
};

/**
 * Shows the certificate chain, from the server's certificate to the trust anchor. Certificates that the server did not
 * send are missing.
 */
const Chain = ({ certificates }: { certificates: readonly Fields[] }): JSX.Element | null => {
  const { result: says } = words.value;
  if (certificates.length === 0) return null;
  return (
    <Part title={says.chain}>
      <Grid
        heads={[says.subject, says.issuer, says.expires]}
        rows={certificates.map((one) => [
          <Text value={one['subject']} />,
          <Text value={one['issuer']} />,
          <StatedTime value={one['not_after']} />,
        ])}
      />
    </Part>
  );
};

/** Returns a protocol's name as readers know it: `TLS 1.3` for `tls_1_3`. */
const protocolName = (name: string): string => {
  const [family = name, ...version] = name.split('_');
  return version.length === 0 ? name : `${family.toUpperCase()} ${version.join('.')}`;
};

const Protocols = ({ protocols }: { protocols: Fields }): JSX.Element | null => {
  const { result: says } = words.value;
  const entries = Object.entries(protocols);
  if (entries.length === 0) return null;
  return (
    <Part title={says.protocols}>
      <Grid
        heads={[says.version, says.supported, says.ciphers]}
        rows={entries.map(([name, protocol]) => [
          <bdi>{protocolName(name)}</bdi>,
          <YesNo value={fieldsOf(protocol)['supported']} />,
          <Text value={textsOf(fieldsOf(protocol)['ciphers']).join(' ')} />,
        ])}
      />
    </Part>
  );
};

const Vulnerabilities = ({ found }: { found: Fields }): JSX.Element | null => {
  const { result: says } = words.value;
  const entries = Object.entries(found);
  if (entries.length === 0) return null;
  return (
    <Part title={says.vulnerabilities}>
      <Grid
        heads={[says.name, says.vulnerable, says.finding]}
        rows={entries.map(([name, one]) => [
          <bdi>{name}</bdi>,
          <YesNo value={fieldsOf(one)['tested'] === false ? null : fieldsOf(one)['vulnerable']} />,
          <Text value={fieldsOf(one)['details']} />,
        ])}
      />
    </Part>
  );
};

const WeakCiphers = ({ ciphers }: { ciphers: readonly Fields[] }): JSX.Element | null => {
  const { result: says } = words.value;
  if (ciphers.length === 0) return null;
  return (
    <Part title={says.weakCiphers}>
      <Grid
        heads={[says.cipher, says.protocols, says.finding]}
        rows={ciphers.map((one) => [
          <Text value={one['cipher']} />,
          <Text value={textsOf(one['protocols']).map(protocolName).join(', ')} />,
          <Text value={textsOf(one['reasons']).join(', ')} />,
        ])}
      />
    </Part>
  );
};
