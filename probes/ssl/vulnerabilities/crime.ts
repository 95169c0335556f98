import type { ServerChoice } from '../wire/hello.ts';
import { safe, vulnerable, type VulnerabilityFinding } from './finding.ts';

const NO_COMPRESSION = 0;

/**
 * Tests for CRIME (CVE-2012-4929): an attacker makes the client send some data. The length of the compressed data then
 * reveals whether a secret contains the same data.
 */
export const crime = ({ compression }: Pick<ServerChoice, 'compression'>): VulnerabilityFinding =>
  compression === NO_COMPRESSION
    ? safe('The server does not compress, although compression was offered.')
    : vulnerable(
        'The server uses TLS compression, so an attacker can work out cookies from the length of requests. Turn off ' +
          'TLS compression.',
      );
