/** A type of checks in words. */
interface TypeWords {
  label: string;
  /** what it watches, in a sentence */
  hint: string;
}

type CheckTypes = 'web' | 'api' | 'tcp' | 'ssl' | 'dns' | 'icmp' | 'portscan' | 'synthetic' | 'multistep';

/** Names of a check's parameters. */
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

/** The form for a check, its script and its test run. */
export interface CheckFormWords {
  titleNew: string;
  titleEdit: string;
  /** the name of a copy */
  copyOf: (name: string) => string;
  sections: Readonly<Record<'what' | 'request' | 'judged' | 'where' | 'belongs' | 'secrets' | 'advanced', string>>;
  type: string;
  /** why it can't be chosen any more */
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
  /** of a region where no runner can run this type */
  unavailable: string;
  parallel: string;
  parallels: Readonly<Record<'turn' | 'all' | 'random_n', string>>;
  count: string;
  group: string;
  noGroup: string;
  tags: string;
  channels: string;
  channelsHint: string;
  /** the rules of the check name different channels */
  channelsDiffer: string;
  noChannels: string;
  mutedUntil: string;
  mutedHint: string;
  fields: Readonly<Record<ParameterNames, string>>;
  hints: Readonly<Partial<Record<ParameterNames, string>>>;
  /** options of fields that are not shown as they are stored */
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
  /** the check is saved, but its channels could not be set */
  channelsFailed: string;
  openCheck: string;
  test: {
    run: string;
    again: string;
    title: string;
    /** what a test run is, before the first one */
    text: string;
    /** runs the check as it is stored */
    runSaved: string;
    /** a test run has no secrets */
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
    /** asked before a script that was written is replaced */
    replace: string;
    replaceText: string;
    /** how Tab leaves the editor */
    keys: string;
    errorIn: (line: number) => string;
    needs: (names: string) => string;
    documentation: string;
  };
}
