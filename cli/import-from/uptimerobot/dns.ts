import type { Remarks } from '../remarks.ts';
import type { CheckTarget, RobotMonitor } from './monitor.ts';

/** The types of records that both products look up. */
const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'PTR', 'SOA', 'DNSKEY', 'DS'];
const MAX_ANSWERS = 100;

/** Maps a monitor of the type DNS. A check looks up records of one type, which must be those of the monitor. */
export const dnsOf = ({ dnsRecords }: RobotMonitor, host: string, name: string, remarks: Remarks): CheckTarget => {
  const listed = [...dnsRecords].filter(([, answers]) => answers.length > 0);
  const [first, ...others] = listed.filter(([type]) => RECORD_TYPES.includes(type));
  if (!first) {
    remarks.about(
      name,
      'became a dns check of A records. Set the type of the records and the answers that it expects.',
    );
    return { type: 'dns', host, parameters: {} };
  }
  const [record_type, answers] = first;
  if (others.length > 0) {
    const types = others.map(([type]) => type).join(', ');
    remarks.about(name, `became a dns check of ${record_type} records. Create a check for each other type: ${types}.`);
  }
  const unknown = listed.filter(([type]) => !RECORD_TYPES.includes(type)).map(([type]) => type);
  if (unknown.length > 0) remarks.about(name, `does not look up records of the types ${unknown.join(', ')}.`);
  return {
    type: 'dns',
    host,
    parameters: { record_type, expected_answers: answers.slice(0, MAX_ANSWERS), validation_mode: 'exact' },
  };
};
