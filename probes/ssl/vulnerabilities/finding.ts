/** The vulnerabilities that are tested, by their names in `check_metadata`. */
export const VULNERABILITIES = [
  'heartbleed',
  'ccs_injection',
  'robot',
  'ticketbleed',
  'session_renegotiation',
  'drown',
  'poodle_ssl',
  'freak',
  'logjam',
  'crime',
  'rc4',
  'sweet32',
  'beast',
  'fallback_scsv',
] as const;
export type VulnerabilityName = (typeof VULNERABILITIES)[number];

/** Kinds of results. Only some tests distinguish several kinds, for example a strong and a weak oracle. */
export type FindingName =
  | 'strong_oracle'
  | 'weak_oracle'
  | 'insecure'
  | 'unsupported'
  | 'client_initiated'
  | 'ssl_2_0'
  | 'export_suites'
  | 'weak_group'
  | 'well_known_group';

/** The result of one test. */
export interface VulnerabilityFinding {
  vulnerable: boolean;
  /** false if the test was not possible, for the reason in `details` */
  tested: boolean;
  /** sentences for people: the observation, and what to change on the server */
  details: string;
  /** the kind of result, if the test distinguishes several */
  finding?: FindingName;
}

export type VulnerabilityFindings = Record<VulnerabilityName, VulnerabilityFinding>;

export const vulnerable = (details: string, finding?: FindingName): VulnerabilityFinding => ({
  vulnerable: true,
  tested: true,
  details,
  ...(finding !== undefined && { finding }),
});

export const safe = (details: string): VulnerabilityFinding => ({ vulnerable: false, tested: true, details });

/** @param details a sentence that says why the test was not possible */
export const untested = (details: string): VulnerabilityFinding => ({ vulnerable: false, tested: false, details });
