/** The texts of a check type. */
interface TypeWords {
  label: string;
  /** one sentence that says what a check of this type examines */
  hint: string;
}

type CheckTypes = 'web' | 'api' | 'tcp' | 'ssl' | 'dns' | 'icmp' | 'portscan' | 'synthetic' | 'multistep';

/** Parameter names of checks. */
type ParameterNames =
  | 'method'
  | 'headers'
  | 'body'
  | 'username'
  | 'password'
  | 'followRedirects'
  | 'statusCodes'
  | 'searchText'
  | 'searchTextAbsent'
  | 'maxResponseTime'
  | 'minCertificateDays'
  | 'json'
  | 'answerHeaders'
  | 'tls'
  | 'serverName'
  | 'sendText'
  | 'starttls'
  | 'expirationThreshold'
  | 'sslScore'
  | 'recordType'
  | 'dnsServers'
  | 'expectedAnswers'
  | 'validationMode'
  | 'whoisLookup'
  | 'domainExpiration'
  | 'maxPacketLoss'
  | 'ipVersion'
  | 'probeCount'
  | 'probeInterval'
  | 'probeTimeout'
  | 'ports'
  | 'expectedOpenPorts'
  | 'onlyExpectedPorts'
  | 'failOnVulnerabilities'
  | 'minRiskLevel'
  | 'scanType'
  | 'serviceDetection'
  | 'timing'
  | 'hostTimeout'
  | 'minParallelism'
  | 'maxRttTimeout'
  | 'script'
  | 'recordVideo'
  | 'retry'
  | 'caCertificate';

/** Texts of the check form, the script editor and test runs. */
export interface CheckFormWords {
  titleNew: string;
  titleEdit: string;
  /** default name of a copy */
  copyOf: (name: string) => string;
  sections: Readonly<Record<'what' | 'request' | 'judged' | 'where' | 'belongs' | 'secrets' | 'advanced', string>>;
  type: string;
  /** explains why the type can no longer be changed */
  typeFixed: string;
  types: Readonly<Record<CheckTypes, TypeWords>>;
  url: string;
  host: string;
  port: string;
  interval: string;
  timeout: string;
  active: string;
  regions: string;
  regionsHint: string;
  /** marks a region in which no runner supports the check type */
  unavailable: string;
  parallel: string;
  parallels: Readonly<Record<'turn' | 'all' | 'random_n', string>>;
  count: string;
  group: string;
  noGroup: string;
  tags: string;
  channels: string;
  channelsHint: string;
  /** shown if the rules of the check use different channels */
  channelsDiffer: string;
  noChannels: string;
  mutedUntil: string;
  mutedHint: string;
  fields: Readonly<Record<ParameterNames, string>>;
  hints: Readonly<Partial<Record<ParameterNames, string>>>;
  /** translations of options. An option without a translation is shown as it is stored */
  options: Readonly<Partial<Record<ParameterNames, Readonly<Record<string, string>>>>>;
  header: string;
  value: string;
  jsonPath: string;
  operator: string;
  jsonOperators: Readonly<
    Record<'equals' | 'not_equals' | 'contains' | 'greater_than' | 'less_than' | 'exists' | 'not_exists', string>
  >;
  headerOperators: Readonly<Record<'equals' | 'contains' | 'absent', string>>;
  secret: string;
  variable: string;
  secretsHint: string;
  noSecrets: string;
  manageSecrets: string;
  /** shown if the check was saved but its channels could not be set */
  channelsFailed: string;
  openCheck: string;
  test: {
    run: string;
    again: string;
    title: string;
    /** explains test runs, before the first one */
    text: string;
    /** label of a button that runs the stored check */
    runSaved: string;
    /** warns that a test run does not receive the secrets */
    noSecrets: string;
    queued: string;
    started: string;
    passed: string;
    failed: string;
    timedOut: string;
    region: string;
    regions: string;
    responseTime: string;
    statusCode: string;
    finalUrl: string;
    certificate: string;
    daysLeft: (days: number) => string;
    answers: string;
    openPorts: string;
    packetLoss: string;
    score: string;
    beginning: string;
    tests: string;
    log: string;
    noLog: string;
    notes: string;
  };
  editor: {
    template: string;
    chooseTemplate: string;
    /** question to confirm before the script is replaced */
    replace: string;
    replaceText: string;
    /** explains how to leave the editor with Tab */
    keys: string;
    errorIn: (line: number) => string;
    needs: (names: string) => string;
    documentation: string;
  };
}
