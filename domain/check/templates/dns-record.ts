import { ofHost } from './template.ts';

export const dnsRecord = ofHost({
  id: 'dnsrecord000',
  name: 'DNS record',
  description:
    'A name has an address. Add expected_answers to say which, and another record_type to watch MX, TXT, CNAME or NS.',
  type: 'dns',
  tags: ['dns'],
  interval: 300,
  parameters: { record_type: 'A', validation_mode: 'contains_all' },
});
