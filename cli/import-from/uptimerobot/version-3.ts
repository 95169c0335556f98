import { isRow, number, text, type Row } from '../rows.ts';
import type { RobotMonitor, WITHOUT_VERSION_3 } from './monitor.ts';

/** The last of the days on which UptimeRobot reminds of a certificate by default. */
const LAST_REMINDER = 1;
const MAX_DAYS = 365;

/** Returns the settings that only version 3 of the API has. */
export const versionThreeOf = (row: Row): Pick<RobotMonitor, keyof typeof WITHOUT_VERSION_3> => {
  const config = isRow(row['config']) ? row['config'] : {};
  const { apiAssertions, dnsRecords, sslExpirationPeriodDays: listed } = config;
  const days = (Array.isArray(listed) ? listed : [])
    .map(Number)
    .filter((day) => Number.isInteger(day) && day >= 0 && day <= MAX_DAYS);
  return {
    isVersion3: 'friendlyName' in row,
    token: text(row, 'authType').toUpperCase() === 'BEARER' ? text(row, 'httpPassword') : '',
    apiAssertions: isRow(apiAssertions) ? apiAssertions : {},
    dnsRecords: new Map(
      Object.entries(isRow(dnsRecords) ? dnsRecords : {}).map(([type, answers]) => [
        type.toUpperCase(),
        Array.isArray(answers) ? answers.map(String) : [],
      ]),
    ),
    ipVersion: versionOf(text(config, 'ipVersion')),
    ignoresCertificate: row['checkSSLErrors'] === false,
    certificateDays:
      row['sslExpirationReminder'] === true ? Math.min(...(days.length > 0 ? days : [LAST_REMINDER])) : null,
    remindsOfDomain: row['domainExpirationReminder'] === true,
    slowAfter: number(row, 'responseTimeThreshold') ?? 0,
  };
};

/** Reads `ipv4Only` or `IPv6`. */
const versionOf = (value: string): RobotMonitor['ipVersion'] => {
  if (/^ipv4/i.test(value)) return 'v4';
  return /^ipv6/i.test(value) ? 'v6' : null;
};
