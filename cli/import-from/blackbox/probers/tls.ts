import { flagIn, textIn } from '../../mapping/fields.ts';
import type { Mapping } from '../../read-yaml.ts';

/** The settings of TLS that checks have. */
export interface TlsSettings {
  ca_certificate?: string;
  server_name: string | null;
}

/** Reads the section `tls_config`, and notes what has no equivalent. */
export const tlsSettings = (config: Mapping, note: (rest: string) => void): TlsSettings => {
  if (flagIn(config, 'insecure_skip_verify') === true)
    note(
      'accepts any certificate, but checks do not; set ca_certificate of the checks to the certificate of the server.',
    );
  if (textIn(config, 'ca_file') !== undefined)
    note('trusts the certificates of a file (ca_file); copy its contents to ca_certificate of the checks.');
  if (['cert', 'cert_file', 'key', 'key_file'].some((key) => config[key] !== undefined))
    note('sends a client certificate, which checks cannot; let a job that has the certificate ping a heartbeat.');
  if (textIn(config, 'min_version') !== undefined || textIn(config, 'max_version') !== undefined)
    note('restricts the version of TLS; an ssl check rates the versions that a server accepts.');
  const ca = textIn(config, 'ca');
  return { ...(ca !== undefined && { ca_certificate: ca }), server_name: textIn(config, 'server_name') ?? null };
};
