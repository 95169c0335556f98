import { VARIABLES } from '../service/config/variables.ts';

type VariableName = (typeof VARIABLES)[keyof typeof VARIABLES]['name'];

/** The sections of docs/operate/configuration.md, with the variables that each describes. */
const SECTIONS: readonly (readonly [section: string, names: readonly VariableName[]])[] = [
  ['Service and data', ['PORT', 'HOST', 'PUBLIC_URL', 'DATA_DIR', 'ADMIN_API_KEY', 'SECRETS_KEY', 'LOG_LEVEL']],
  ['Pages', ['PUBLIC_DOMAIN', 'FRONT_DOOR']],
  ['Proxies and metrics', ['TRUST_PROXY', 'METRICS_TOKEN', 'METRICS_PORT', 'METRICS_CHECKS']],
  [
    'Traces',
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_SERVICE_NAME',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
    ],
  ],
  [
    'Limits',
    [
      'RATE_LIMIT_PER_SECOND',
      'UNAUTHORIZED_PER_MINUTE',
      'MAX_CONNECTIONS',
      'MAX_CONNECTIONS_PER_ADDRESS',
      'MAX_VISITORS',
      'MAX_STREAMS',
      'PINGS_PER_MINUTE',
      'READ_YOUR_WRITES_TIMEOUT_MS',
    ],
  ],
  ['Retention', ['RESULT_RETENTION_DAYS', 'AUDIT_CLIENT_RETENTION_MONTHS', 'ARTIFACTS_LIMIT_MIB']],
  ['Checks', ['REGIONS', 'RUNNER_CONCURRENCY', 'RUNNER_PROCESSES', 'RUNNER_ANCHORS']],
  ['Targets of checks', ['TARGET_POLICY', 'TARGET_ALLOW', 'TARGET_DENY', 'RDAP_BOOTSTRAP_URL', 'WHOIS_SERVER']],
  ['Scripts', ['SCRIPT_SANDBOX', 'SCRIPT_PORTS', 'RUNNER_BROWSERS', 'PLAYWRIGHT_CHROMIUM']],
  ['Remote runners', ['UPTRAIL_RUNNER_TOKEN', 'RUNNER_OFFLINE_MINUTES', 'RUNNER_SPOOL_MB']],
  [
    'E-mail and subscriptions',
    [
      'MAIL_FROM',
      'SMTP_URL',
      'DNS_SERVERS',
      'SUBSCRIPTIONS_PER_MINUTE',
      'UNCONFIRMED_PER_HOUR',
      'CONFIRMATIONS_PER_DAY',
    ],
  ],
  [
    'SMS',
    [
      'SMS_GATEWAY_URL',
      'SMS_GATEWAY_METHOD',
      'SMS_GATEWAY_HEADERS',
      'SMS_GATEWAY_BODY',
      'SMS_COUNTRIES',
      'SMS_DAILY_LIMIT',
    ],
  ],
  [
    'Alert channels and webhooks',
    ['WEBHOOK_POLICY', 'DELIVERIES_PER_SECOND', 'TELEGRAM_API_URL', 'MAX_API_URL', 'MAX_CA_FILE'],
  ],
  ['Commands', ['UPTRAIL_URL', 'UPTRAIL_API_KEY']],
  ['Plans', ['PLANS_FILE', 'INVOICE_SELLER_FILE']],
  ['Cluster', ['EVENTSTOREDB_URL', 'EVENTSTOREDB_PREFIX', 'MONGODB_URL']],
];

/** Returns the generated part of the document, which describes each variable and its default. */
export const configurationSections = (): string => {
  const variables = new Map<string, (typeof VARIABLES)[keyof typeof VARIABLES]>(
    Object.values(VARIABLES).map((variable) => [variable.name, variable]),
  );
  const listed = SECTIONS.flatMap(([, names]) => names);
  const missing = [...variables.keys()].filter((name) => !listed.includes(name as VariableName));
  if (missing.length > 0)
    throw new Error(`test/configuration-document.ts has no section for ${missing.join(', ')}. Add it to SECTIONS.`);
  return SECTIONS.map(([section, names]) => {
    const entries = names.map((name) => {
      const variable = variables.get(name);
      if (!variable) throw new Error(`There is no variable ${name}.`);
      const standard = 'default' in variable ? `Default: \`${variable.default}\`.\n\n` : '';
      return `### \`${name}\`\n\n${standard}${sentence(variable.meaning)}\n`;
    });
    return `## ${section}\n\n${entries.join('\n')}`;
  }).join('\n');
};

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
